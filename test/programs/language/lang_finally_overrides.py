# A finally clause can override what was on its way.
def returns():
    try:
        return "try"
    finally:
        return "finally"


def swallows():
    try:
        raise ValueError
    finally:
        return "swallowed"


def loops():
    log = []
    for i in range(5):
        try:
            if i == 1:
                continue
            if i == 3:
                break
            log.append(i)
        finally:
            log.append(f"f{i}")
    else:
        log.append("never")
    return log


def breaks_out():
    while True:
        try:
            return "lost"
        finally:
            break
    return "broke out"


def value_kept():
    x = 1
    try:
        return x
    finally:
        x = 2


def nested():
    for i in range(2):
        try:
            try:
                return f"inner {i}"
            finally:
                print("first", i)
        finally:
            print("second", i)


for f in (returns, swallows, loops, breaks_out, value_kept, nested):
    print(f.__name__, f())

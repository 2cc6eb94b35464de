# Generators: laziness, send, throw, close, return values.
def countdown(n):
    try:
        while n > 0:
            received = yield n
            if received is not None:
                n = received
            else:
                n -= 1
    except ValueError as e:
        yield f"caught {e}"
    finally:
        print("cleanup")
    return "done"


g = countdown(3)
print(next(g), next(g), g.send(10), next(g))
print(g.throw(ValueError("boom")))
try:
    next(g)
except StopIteration as stop:
    print("value:", stop.value)

g = countdown(2)
next(g)
g.close()
print(list(g))


def averager():
    total, count, average = 0, 0, None
    while True:
        total += yield average
        count += 1
        average = total / count


avg = averager()
next(avg)
print([avg.send(x) for x in (10, 20, 60)])


def bad():
    yield 1
    raise StopIteration("no")


try:
    list(bad())
except RuntimeError as e:
    print(e, "|", repr(e.__cause__))

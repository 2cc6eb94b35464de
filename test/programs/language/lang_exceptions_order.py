# The order in which except, else and finally run.
def run(kind):
    steps = []
    try:
        steps.append("try")
        if kind == "raise":
            raise ValueError("v")
        if kind == "return":
            return steps
        if kind == "other":
            raise KeyError("k")
    except ValueError as e:
        steps.append(f"except {e}")
    else:
        steps.append("else")
    finally:
        steps.append("finally")
    steps.append("after")
    return steps


for kind in ("none", "raise", "return"):
    print(kind, run(kind))
try:
    run("other")
except LookupError as e:
    print("lookup", repr(e))


def nested():
    try:
        try:
            1 / 0
        finally:
            print("inner finally")
    except ZeroDivisionError as e:
        print("outer", e)
        try:
            raise RuntimeError("second")
        except RuntimeError as second:
            print("context is", repr(second.__context__))
    print("e" in locals())


nested()
try:
    try:
        int("x")
    except ValueError as e:
        raise TypeError("wrapped") from e
except TypeError as e:
    print(e, "<-", e.__cause__)

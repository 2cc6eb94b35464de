# match: literals, captures, guards, alternatives, as.
def describe(x):
    match x:
        case 0:
            return "zero"
        case 1 | 2 | 3 as small:
            return f"small {small}"
        case -1:
            return "minus one"
        case 2.5 | 1j:
            return "odd number"
        case "hello" | "hi":
            return "greeting"
        case True:
            return "never: True == 1"
        case None:
            return "none"
        case str() as s if len(s) > 5:
            return f"long string {s!r}"
        case int(n) if n > 100:
            return f"big {n}"
        case int() | float():
            return "number"
        case str(s):
            return f"string {s}"
        case _:
            return "something"


for x in (0, 2, -1, 2.5, 1j, "hi", True, None, "a longer one", 1000, 50, 0.5, "abc", [], b"x"):
    print(repr(x), "->", describe(x))


class Color:
    RED, GREEN = 1, 2


def color(c):
    match c:
        case Color.RED:
            return "red"
        case Color.GREEN:
            return "green"
    return "unknown"


print([color(c) for c in (1, 2, 3)])

# match: sequences, mappings, classes, nesting.
class Point:
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y


def shape(s):
    match s:
        case []:
            return "empty"
        case [x]:
            return f"one {x}"
        case [Point(0, 0), *rest]:
            return f"origin then {len(rest)}"
        case [first, *_, last] if first == last:
            return f"same ends {first}"
        case (a, b):
            return f"pair {a} {b}"
        case [_, _, *rest]:
            return f"many, rest {rest}"
        case {"kind": "circle", "r": r}:
            return f"circle {r}"
        case {"kind": str(kind), **others}:
            return f"{kind} with {sorted(others)}"
        case Point(x=0, y=y):
            return f"on y axis at {y}"
        case Point(x, y) if x == y:
            return f"diagonal {x}"
        case Point():
            return "some point"
        case {}:
            return "mapping"
        case _:
            return "no match"


for s in (
    [], [7], [Point(0, 0), 1, 2], [1, 2, 3, 1], (3, 4), [1, 2, 3], "ab",
    {"kind": "circle", "r": 2, "z": 0}, {"kind": "box", "w": 1, "h": 2}, {"a": 1},
    Point(0, 5), Point(2, 2), Point(1, 2), 17,
):
    print(shape(s))

match {"a": [1, {"b": (2, 3)}]}:
    case {"a": [x, {"b": (y, z)}]}:
        print(x, y, z)
match (1, [2, 3]):
    case (1, ([2, q] | [q, 2])):
        print("q", q)

# Attributes that are an int in one object and a float in another: sums, products, quotients, comparisons, signs and truth
# of them, at the ends of what is exact, too.
import math


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Point(self.x - other.x, self.y - other.y)

    def scaled(self, by):
        return Point(self.x * by, self.y * by)

    def over(self, other):
        return self.x / other.x

    def flipped(self):
        return Point(-self.x, -self.y)

    def order(self, other):
        return (
            self.x < other.x,
            self.x <= other.x,
            self.x == other.x,
            self.x != other.x,
            self.y > other.y,
            self.y >= other.y,
        )

    def is_somewhere(self):
        if self.x:
            return True
        return not self.y


NUMBERS = [
    0,
    0.0,
    -0.0,
    1,
    1.5,
    -3,
    2**53,
    2**53 + 1,
    float(2**53),
    -(2**53) - 1,
    2**62,
    -(2**63),
    float("inf"),
    float("-inf"),
    float("nan"),
    1e-320,
    7,
]


def text(value):
    return value.hex() if isinstance(value, float) else repr(value)


def walk(points, rounds):
    seen = 0
    total = 0
    for _ in range(rounds):
        for a in points:
            for b in points:
                c = a + b
                d = a - c.scaled(0.5)
                e = d.flipped()
                order = a.order(b)
                if order[0] or e.is_somewhere():
                    seen += 1
                if e.x == e.x and abs(e.x) < 1e6:
                    total += e.x
    return seen, text(total)


small = [Point(1, 2.0), Point(2.5, 3), Point(-1, -4), Point(0.25, 0.5), Point(0, -0.0)]
print(walk(small, 200))


def pairs(points):
    lines = []
    for a in points:
        for b in points:
            line = []
            for what in ("add", "sub", "over", "order", "flip", "truth"):
                try:
                    if what == "add":
                        r = text((a + b).x)
                    elif what == "sub":
                        r = text((a - b).y)
                    elif what == "over":
                        r = text(a.over(b))
                    elif what == "order":
                        r = "".join("01"[x] for x in a.order(b))
                    elif what == "flip":
                        r = text(a.flipped().x)
                    else:
                        r = str(a.is_somewhere())
                except ArithmeticError as error:
                    r = f"{type(error).__name__}: {error}"
                line.append(r)
            lines.append(" ".join(line))
    return lines


all_points = [Point(x, y) for x, y in zip(NUMBERS, reversed(NUMBERS))]
for _ in range(3):
    lines = pairs(all_points)
print(len(lines), sum(len(line) for line in lines))
for line in lines:
    print(line)


def mean(values):
    total = 0
    for v in values:
        total += v
    return total / len(values)


mixed = [1, 2.5, 3, 4.0] * 50
print([text(mean(mixed[:n])) for n in (1, 2, 3, 4, 200)])
print(math.isclose(mean(mixed), 2.625), walk(small[:2], 500))

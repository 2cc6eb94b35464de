# Sequence, mapping and class patterns choose what is computed.
import torch


class Point:
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x = x
        self.y = y


def area(v, x):
    match v:
        case Point(a, b):
            return x * a + b
        case {"scale": s, **rest}:
            return x * s + len(rest)
        case [first, *others]:
            return x + first * len(others)
        case None:
            return x
    return -x


values = [Point(1.0, 2.0), {"scale": 3.0, "k": 1}, [1.5, 2, 3], None]
total = torch.zeros(2)
for i in range(20):
    total = total + area(values[i % 4], torch.ones(2) * i)
print(total.tolist())

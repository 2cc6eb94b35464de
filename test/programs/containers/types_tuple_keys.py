import torch
from collections import namedtuple

cfg = {("a", 1): 2.0, ("b", 1): 3.0, "a": 4.0, (("x", 2), None): 5.0}
seen = {}
Point = namedtuple("Point", "x y")
grid = {(x, y): float(x * y) for x in range(3) for y in range(3)}


def step(x, i, name):
    scale = cfg["a", 1] + cfg[name, 1]
    if (name, 1) in cfg and ("c", 1) not in cfg:
        scale = scale + cfg[("x", 2), None]
    kind = "even" if i % 2 == 0 else "odd"
    local = {(kind, 0): x * 2, (kind, 1): x * 3}
    local[kind, 0] = local[kind, 1] + local[(kind, 0)]
    seen[kind, name] = scale
    first = grid.get((1, 2), 7.0) + grid.get((5, 5), 0.5)
    return torch.tanh(local[kind, 0]) * scale + first + len(local)


def flags(x, i, training):
    on = x.sum() > 2.0
    hot = bool(on)
    return (hot is True, hot is not False, hot is None, i is None, training is True,
            x * 2 if hot is True else x * 3)


x = torch.ones(4)
for i in range(40):
    x = step(x, i, "a" if i < 20 else "b") * 0.1
    if i % 8 == 0:
        print(i, x.tolist(), seen)
    print([str(v) for v in flags(x * i * 0.1, i, i % 3 == 0)])
print(seen, cfg[("a", 1)], Point(1, 2) in grid, grid[Point(2, 2)])

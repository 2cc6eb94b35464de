import torch
import torch.nn.functional as F

y = torch.tensor([1.0, 2.0, 3.0])
functions = {
    'repeat': lambda y: y.repeat(1),
    'tile': lambda y: y.tile(1),
    'interleave': lambda y: y.repeat_interleave(1),
    'roll': lambda y: y.roll(0),
    'roll all': lambda y: y.roll(3),
    'pad': lambda y: F.pad(y, (0, 0)),
    'cut': lambda y: F.pad(y, (0, -1)),
    'flip': lambda y: y.flip(()),
    'cat': lambda y: torch.cat([y]),
    'sum': lambda y: y.reshape(3, 1).sum(1),
    'clamp': lambda y: y.clamp(-1e9, 1e9),
    'expand': lambda y: y.expand(3),
    'reshape': lambda y: y.reshape(3),
    'chunk': lambda y: y.chunk(1)[0],
}


def changed(f, y):
    b = f(y)
    b.zero_()
    return b


for i in range(6):
    for name, f in functions.items():
        y = torch.tensor([1.0, 2.0, 3.0]) + i
        b = changed(f, y)
        print(i, name, y.tolist(), b.tolist())

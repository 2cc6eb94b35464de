# match on ints, tuples and classes chooses the layer.
import torch
from dataclasses import dataclass


@dataclass
class Scale:
    by: float


@dataclass
class Shift:
    by: float


def apply(x, op):
    match op:
        case Scale(by=0):
            return torch.zeros_like(x)
        case Scale(by=s):
            return x * s
        case Shift(by=s):
            return x + s
        case ("clamp", low, high):
            return x.clamp(low, high)
        case int(n) if n > 0:
            return x ** n
        case _:
            return -x


ops = [Scale(2.0), Shift(-0.5), ("clamp", -1.0, 1.0), 2, "neg", Scale(0), -3]
torch.manual_seed(10)
for i in range(21):
    x = torch.randn(3)
    y = apply(apply(x, ops[i % 7]), ops[(i + 1) % 5])
    if i % 4 == 0:
        print(i, [f"{v:.3f}" for v in y.tolist()])

# Callables held in lists and dicts, one of them replaced on the way.
import torch


def double(x):
    return x * 2


def shift(x):
    return x + 1


class Pow:
    def __init__(self, n):
        self.n = n

    def __call__(self, x):
        return x ** self.n


pipeline = [double, shift, torch.sin, Pow(2), str.upper]
table = {"a": double, "b": Pow(3), "c": torch.nn.functional.relu}


def run(x, key):
    for f in pipeline[:-1]:
        x = f(x)
    return table[key](x)


x = torch.tensor([0.3, -0.7])
out = []
for i in range(288):
    out.append(run(x, "abc"[i % 3]).sum().item())
    if i == 10:
        pipeline[1] = double
    if i == 16:
        table["a"] = lambda v: v - 5
print([f"{v:.4f}" for v in out], pipeline[-1]("ok"))

# int64, float32, float64 and bool tensors meet in one expression.
import torch


def mix(a, b):
    c = a + b
    d = torch.where(c > 1, c, torch.zeros_like(c))
    return d * 2, (c > 1).sum(), c.dtype


args = {
    "ii": (torch.arange(4), torch.arange(4)),
    "if": (torch.arange(4), torch.ones(4) / 2),
    "fd": (torch.ones(4) / 2, torch.arange(4).double()),
    "bi": (torch.tensor([True, False, True, True]), torch.arange(4)),
}
for k in range(20):
    name = ["ii", "if", "fd", "bi"][k // 5]
    out, count, dtype = mix(*args[name])
    if k % 5 == 4:
        print(name, out.tolist(), count.item(), dtype, out.dtype)

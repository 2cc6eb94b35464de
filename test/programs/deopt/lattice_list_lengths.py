# A list of tensors grows by one at each call, then shrinks.
import torch


def total(xs):
    out = 0
    for i, x in enumerate(xs):
        out = out + x * (i + 1)
    return out if isinstance(out, torch.Tensor) else torch.zeros(1)


xs = []
out = []
for i in range(24):
    if i < 14:
        xs.append(torch.full((1,), float(i)))
    else:
        xs.pop(0)
    out.append(total(xs).item())
print(out)

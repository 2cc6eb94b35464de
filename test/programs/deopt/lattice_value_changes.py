# A tensor constant that a closure holds is rebound, resized and updated in place.
import torch

scale = torch.ones(3)


def f(x):
    return (x * scale).sum()


out = []
for i in range(120):
    out.append(f(torch.arange(scale.shape[0], dtype=torch.float32)).item())
    if i == 6:
        scale = scale * 2
    if i == 12:
        scale.mul_(3)
    if i == 18:
        scale = torch.ones(5)
print(out)

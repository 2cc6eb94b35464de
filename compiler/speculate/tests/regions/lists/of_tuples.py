# Items that are tuples: a tensor for each part.
import torch

def step(xs):  # region
    seen = []
    for x in xs:
        seen.append((x * 2, x.sum().item()))
    total = torch.zeros(2)
    for y, s in seen:
        total = total + y * s
    return total

for _ in range(5):
    step(torch.ones(30, 2))

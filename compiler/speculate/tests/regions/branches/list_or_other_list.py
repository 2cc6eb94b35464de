# Each side makes a list; behind the branch it is one, since nothing else names either.
import torch

def step(x):  # region
    if x.sum() > 0:
        items = [x, x * 2]
    else:
        items = [x * 3, x]
    items.append(x)
    return torch.stack(items)

for i in range(6):
    step(torch.ones(2) * (i % 2 - 0.5))

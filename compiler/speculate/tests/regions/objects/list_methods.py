# A list of known length is its items.
import torch

def step(x):  # region
    items = [x, x + 1]
    items.append(x * 2)
    items.insert(0, x * 3)
    items.reverse()
    last = items.pop()
    return torch.stack(items + [last])

for _ in range(5):
    step(torch.ones(2))

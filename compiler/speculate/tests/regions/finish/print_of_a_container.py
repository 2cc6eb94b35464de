# What is printed is shown as it was at that moment.
import torch

def step(x):  # region
    items = [x.sum().item()]
    print(items, {"a": 1})
    items.append(2)
    return items

for _ in range(5):
    step(torch.ones(2))

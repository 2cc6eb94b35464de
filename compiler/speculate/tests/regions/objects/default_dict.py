# The factory of a defaultdict is called where a key is missing.
from collections import defaultdict
import torch

def step(x):  # region
    groups = defaultdict(list)
    for i in range(4):
        groups[i % 2].append(x * i)
    return torch.stack(groups[0]).sum() - torch.stack(groups[1]).sum()

for _ in range(5):
    step(torch.ones(2))

# A window: the first item goes when another one comes.
from collections import deque
import torch

window = deque([torch.zeros(2)] * 3, maxlen=3)

def step(x):  # region
    window.append(x * 2)
    return torch.stack(list(window)).sum(0)

for _ in range(6):
    step(torch.ones(2))

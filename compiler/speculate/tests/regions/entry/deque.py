# A deque from outside is read through its items.
import torch
from collections import deque

window = deque([torch.ones(2), torch.ones(2)], maxlen=2)

def step(x):  # region
    return x + window[0] + window[-1]

for _ in range(5):
    step(torch.ones(2))

# Functions of `math` on numbers that move.
import math
import torch

def step(x, t):  # region
    return x * math.sin(t) + math.sqrt(t) * math.exp(-t)

for i in range(1, 6):
    step(torch.ones(2), float(i))

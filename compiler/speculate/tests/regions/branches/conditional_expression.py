# A conditional expression of numbers is a select.
import torch

def step(x, t):  # region
    k = 2.0 if t > 1.5 else 3.0
    return x * k

for i in range(6):
    step(torch.ones(2), float(i % 3))

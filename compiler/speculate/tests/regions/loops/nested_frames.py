# A frame inside of another one.
# relax: symbolic n
import torch

def step(x, n):  # region
    for i in range(n):
        for j in range(i):
            x = x + j
    return x * 2

for i in range(5):
    step(torch.ones(2), i)

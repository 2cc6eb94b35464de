# Whether the result is the argument itself is decided by the number of iterations.
# relax: symbolic n
import torch

def step(x, n):  # region
    for i in range(n):
        for j in range(i):
            x = x + j
    return x

for i in range(5):
    step(torch.ones(2), i)

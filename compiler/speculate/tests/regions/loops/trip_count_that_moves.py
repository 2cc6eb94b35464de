# So is one whose trip count moved.
# relax: symbolic n
import torch

def step(x, n):  # region
    for i in range(n):
        x = x * 2
    return x

for i in range(5):
    step(torch.ones(2), i)

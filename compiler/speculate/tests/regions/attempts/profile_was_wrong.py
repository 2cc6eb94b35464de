# After a miss branches that went one way are not taken for one-sided any more.
# relax: generous
import torch

def step(x):  # region
    if x.sum() > 0:
        y = x * 2
    else:
        y = x - 1
    return y

for _ in range(5):
    step(torch.ones(2))

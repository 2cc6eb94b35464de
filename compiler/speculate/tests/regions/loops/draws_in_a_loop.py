# The position in the random stream is carried, too.
import torch

def step(x):  # region
    for i in range(40):
        if x.sum() > 0:
            x = x - torch.rand(2)
        else:
            x = x + 1
    return x

for _ in range(5):
    step(torch.ones(2))

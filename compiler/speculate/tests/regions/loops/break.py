# A `break` that the graph decides makes a frame of a short loop, too.
import torch

def step(x):  # region
    for i in range(10):
        x = x * 2
        if x.sum() > 50:
            break
    return x

for i in range(8):
    step(torch.full((2,), i % 4 + 1.0))

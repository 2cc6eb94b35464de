# A key that the graph computes, of a dict with few keys.
import torch

scale = {0: 1.0, 1: 2.0, 2: 3.0}

def step(x):  # region
    return x * scale[int(x.argmax())]

for i in range(6):
    x = torch.zeros(3)
    x[i % 3] = 1.0
    step(x)

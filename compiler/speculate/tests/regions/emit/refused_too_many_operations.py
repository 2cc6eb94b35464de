# A graph has at most 20,000 operations: loops of few known trips are unrolled, and these are three, one in another.
import torch

def step(x):  # region
    for i in range(20):
        for j in range(20):
            for k in range(20):
                x = (x + i) * j - k
    return x

for _ in range(4):
    step(torch.ones(1))

# An iterator that was made outside cannot be put back.
import torch

def step(xs, total):  # region
    total = total * 2
    for x in xs:
        total = total + x
    return total

for _ in range(5):
    step(iter([torch.ones(2)] * 3), torch.zeros(2))

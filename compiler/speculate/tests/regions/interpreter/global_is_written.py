# A global that the region writes, and reads afterwards, is its own copy.
import torch

total = torch.zeros(2)

def step(x):  # region
    global total
    total = total + x
    return total * 2

for _ in range(5):
    step(torch.ones(2))

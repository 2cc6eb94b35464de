# The item of a list from outside at an int that moves is a node that finds it.
# relax: symbolic i
import torch

rows = [torch.full((2,), float(i)) for i in range(9)]

def step(i):  # region
    return rows[i] * 2

for i in range(5):
    step(i)

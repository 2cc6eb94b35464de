# An int that moved is a number of the graph, read at each entry.
# relax: symbolic n
import torch

def step(x, n):  # region
    return x * n

for i in range(5):
    step(torch.ones(2), i)

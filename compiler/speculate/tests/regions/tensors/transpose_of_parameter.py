# A permuted operand: elements are read in the order of memory.
import torch

w = torch.ones(3, 2)

def step(x):  # region
    return x @ w.t() + w.t().contiguous()[0]

for _ in range(5):
    step(torch.ones(2, 2))

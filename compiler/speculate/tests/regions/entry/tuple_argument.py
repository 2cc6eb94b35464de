# A tuple is its items, and its length is guarded.
import torch

def step(pair):  # region
    a, b = pair
    return a @ b

for _ in range(5):
    step((torch.ones(2, 3), torch.ones(3, 2)))

# `max` with a key that the graph computes merges the items by their places.
import torch

def step(xs):  # region
    return max(xs, key=lambda x: x.sum().item()) * 2

for i in range(6):
    step([torch.full((2,), float((i + k) % 3)) for k in range(3)])

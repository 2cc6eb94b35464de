# An iteration that returns has a graph that ends there.
import torch

def find(x):
    for i in range(20):  # region
        x = x * 2
        if x.sum() > 1000:
            return x
    return x

find(torch.ones(2))

# Items of two shapes have no rows: the loop is unrolled, and the list is its items.
import torch

def step(xs):  # region
    outs = []
    for i, x in enumerate(xs):
        outs.append(x if i % 2 else x.sum())
    return outs

for _ in range(5):
    step(torch.ones(6, 2))

# `a + [x]` of a list that only this variable names extends it.
import torch

def step(xs):  # region
    values = []
    for x in xs:
        values = values + [x.sum().item()]
    return xs[0] * sum(values)

for _ in range(5):
    step(torch.ones(30, 2))

# `**` of a float by a constant.
import torch

def step(x, rate):  # region
    return x * rate ** 2

for i in range(5):
    step(torch.ones(2), 0.5 + i)

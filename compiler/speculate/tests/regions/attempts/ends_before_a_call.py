# What cannot be contained ends the graph; the second attempt knows where.
import torch

def step(x):  # region
    y = torch.tanh(x) * 2
    z = eval("1.5")
    return torch.sigmoid(y * z) + 1

for _ in range(6):
    step(torch.ones(2))

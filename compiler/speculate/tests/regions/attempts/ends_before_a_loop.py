# Where it stands in a loop inside of the region, the graph ends before that loop.
import torch

def step(x):  # region
    y = torch.tanh(x) * 2
    for i in range(3):
        y = y + eval("1")
    return y

for _ in range(6):
    step(torch.ones(2))

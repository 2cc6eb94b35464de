# A library function without a graph form divides the region.
import io
import torch

out = io.StringIO()

def step(x):  # region
    y = (x * 2).sum()
    out.write("line")
    return torch.tanh(y) + 1

for _ in range(6):
    step(torch.ones(2))

# A format specification that moves.
# relax: symbolic width
import torch

def step(x, width):  # region
    y = (x * 2).sum().item()
    return f"{y:{width}.2f}"

for i in range(5):
    step(torch.ones(2), i + 5)

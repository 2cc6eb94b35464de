# An item that is written at an index that moves, into a list from outside.
# relax: symbolic at
import torch

memory = [torch.zeros(2) for _ in range(10)]

def step(x, at):  # region
    memory[at] = x * 2

for i in range(6):
    step(torch.ones(2), i)

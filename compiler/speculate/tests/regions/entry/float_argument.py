# Floats are numbers of the graph from the beginning.
import torch

def step(x, rate):  # region
    return x - rate * x

for i in range(5):
    step(torch.ones(2), 0.1 * i)

# A list from outside that a branch appended to is read.
import torch

queue = []

def step(x):  # region
    if x.sum() > 0:
        queue.append(x)
    return x * 2 + sum(queue[-2:])

for i in range(8):
    step(torch.ones(2) * (i % 2 - 0.4))

# What a generator's iteration computes before its `yield`, and behind it, are regions.
import torch

def batches(x):
    for i in range(8):  # region
        x = torch.tanh(x * 2) + i
        yield x
        x = torch.sigmoid(x) * 3 - torch.tanh(x)

for y in batches(torch.ones(2)):
    pass

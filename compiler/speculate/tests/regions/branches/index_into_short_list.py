# An index that the graph computes into a short list is a chain of branches.
import torch

layers = [torch.tanh, torch.sigmoid, torch.relu]

def step(x):  # region
    i = int(x.argmax())
    return layers[i](x)

for i in range(6):
    x = torch.zeros(3)
    x[i % 3] = 1.0
    step(x)

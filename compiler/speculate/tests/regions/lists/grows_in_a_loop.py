# A list that grows in a frame is one tensor with a row for each item.
import torch

def step(xs):  # region
    outs = []
    h = torch.zeros(2)
    for x in xs:
        h = torch.tanh(h + x)
        outs.append(h)
    return torch.stack(outs)

for _ in range(5):
    step(torch.ones(30, 2))

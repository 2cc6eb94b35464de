# It is made where the region ends, and its last item is the tensor that the loop ended with.
import torch

def step(xs):  # region
    outs = []
    h = torch.zeros(2)
    for x in xs:
        h = torch.tanh(h + x)
        outs.append(h)
    return outs, h

for _ in range(5):
    step(torch.ones(30, 2))

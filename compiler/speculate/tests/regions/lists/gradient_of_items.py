# A gradient goes into the rows.
import torch

w = torch.ones(2, requires_grad=True)

def step(xs):  # region
    outs = []
    for x in xs:
        outs.append(torch.tanh(w * x))
    torch.stack(outs).sum().backward()

for _ in range(5):
    w.grad = None
    step(torch.ones(30, 2))

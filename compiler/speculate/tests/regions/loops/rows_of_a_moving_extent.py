# The same for any number of rows.
# relax: dim xs 0
import torch

def step(xs, h):  # region
    for x in xs:
        h = torch.tanh(h + x)
    return h

for n in range(3, 8):
    step(torch.ones(n, 2), torch.zeros(2))

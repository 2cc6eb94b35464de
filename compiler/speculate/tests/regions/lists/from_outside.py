# A list from outside is appended to at the commit, without a look at the rest.
import torch

log = []

def step(xs):  # region
    for x in xs:
        log.append(x.sum().item())

for _ in range(5):
    step(torch.ones(30, 2))

# An exception that is raised and caught inside of each iteration.
import torch

def checked(x):
    if x.sum() < 0:
        raise ValueError
    return x

def step(xs):  # region
    total = torch.zeros(2)
    for x in xs:
        try:
            total = total + checked(x)
        except ValueError:
            total = total * 0.5
    return total

for _ in range(5):
    step(torch.ones(30, 2) * torch.tensor([1.0, -1.0] * 15)[:, None])

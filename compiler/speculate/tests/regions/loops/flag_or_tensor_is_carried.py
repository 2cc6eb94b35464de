# A variable that stays None until something is found is carried with its condition.
import torch

def step(xs):  # region
    found = None
    for x in xs:
        if x.sum() > 3 and found is None:
            found = x * 2
    return xs[0] if found is None else found

for i in range(6):
    step(torch.ones(30, 2) * (i % 2 + 1))

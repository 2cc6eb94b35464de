# The `else` of a loop runs where it was not left by `break`.
import torch

def step(xs):  # region
    for x in xs:
        if x.sum() > 10:
            break
    else:
        x = torch.zeros(2)
    return x * 2

for i in range(8):
    step(torch.ones(30, 2) * (i % 2 * 6))

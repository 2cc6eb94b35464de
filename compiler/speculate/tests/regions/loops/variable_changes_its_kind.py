# `None` before the loop and a tensor after the first iteration: that one is run before the frame.
import torch

def step(xs):  # region
    best = None
    for x in xs:
        best = x if best is None else torch.maximum(best, x)
    return best

for _ in range(5):
    step(torch.ones(30, 2))

# Known values, numbers, tensors and containers of a frame, and what of them leaves.
import torch

def step(x, t):  # region
    known, number, tensor = "text", t + 1, x * t
    pair = (known, number)
    return known, number, tensor, pair, None, ..., [tensor, 1.5]

for i in range(5):
    step(torch.ones(2), float(i))

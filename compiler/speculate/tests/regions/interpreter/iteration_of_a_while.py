# The region is one iteration of a `while` at module level.
import torch

x = torch.ones(2)
n = 0
while n < 8:  # region
    x = x * 0.5
    n += 1

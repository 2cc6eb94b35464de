# `continue` of the region's own iteration: the sides meet at its end.
import torch

total = torch.zeros(2)
for i in range(10):  # region at 6
    x = torch.ones(2) * (i % 2 - 0.5)
    if x.sum() < 0:
        continue
    total = total + x

# An extent that moves is one number, wherever it comes from.
# relax: dim x 0
import torch

def step(x):  # region
    n = len(x)
    return x[: n - 1] + x[1:], n, x.shape

for n in range(3, 8):
    step(torch.ones(n))

# A recursion over numbers that are known is inlined.
import torch

def power(x, n):
    return x if n == 0 else power(x, n - 1) * x

def step(x):  # region
    return power(x, 3)

for _ in range(5):
    step(torch.ones(2))

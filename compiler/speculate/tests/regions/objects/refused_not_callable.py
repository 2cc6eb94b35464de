# So is a call of what is no function.
import torch

def attempt(x):  # region
    y = x * 2
    try:
        return y(3)
    except TypeError:
        return y

for _ in range(5):
    attempt(torch.ones(2))

# A print on one side is committed on a condition.
import torch

def step(x):  # region
    y = x.sum()
    if y > 0:
        print("positive")
    return y

for i in range(6):
    step(torch.ones(2) * (i % 2 - 0.5))

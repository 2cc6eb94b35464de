# A failing `assert` statement is tier 0's to raise.
import torch

def step(x):  # region
    y = x.sum()
    assert y.item() > 0, "negative"
    return x / y

for _ in range(5):
    step(torch.ones(2))

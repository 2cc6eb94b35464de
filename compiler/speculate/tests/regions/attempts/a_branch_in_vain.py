# An attempt to merge two sides that came to nothing leaves no guard behind.
import torch

class Odd:
    def __getattribute__(self, name):
        return 2.0

odd = Odd()

def step(x):  # region
    if x.sum() > 0:
        return x * 2
    return x * odd.anything

for i in range(8):
    step(torch.ones(2) * (0.5 if i % 4 else -0.5))

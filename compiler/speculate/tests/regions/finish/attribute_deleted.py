# `del` of an attribute is a commit, like setting one.
import torch

class Box:
    pass

box = Box()

def step(x):  # region
    del box.x
    return x * 2

for _ in range(5):
    box.x = 1
    step(torch.ones(2))

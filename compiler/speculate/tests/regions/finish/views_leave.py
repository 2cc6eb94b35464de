# A view of an input leaves as a view: the recipe applies the primitive to the object.
import torch

def step(x):  # region
    return x[0], x.t()

for _ in range(5):
    step(torch.ones(2, 3))

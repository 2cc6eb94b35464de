# That an attribute is not there is guarded, too.
import torch

class Model:
    pass

model = Model()

def step(x):  # region
    if getattr(model, "mask", None) is not None:
        x = x * model.mask
    return x + 1

for _ in range(5):
    step(torch.ones(2))

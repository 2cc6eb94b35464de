# A property is a call.
import torch

class Model:
    def __init__(self):
        self._w = torch.ones(2)

    @property
    def w(self):
        return self._w * 2

model = Model()

def step(x):  # region
    return x * model.w

for _ in range(5):
    step(torch.ones(2))

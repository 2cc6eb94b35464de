# A method is inlined; the receiver's class is guarded.
import torch

class Layer:
    def __init__(self):
        self.w = torch.ones(2)

    def __call__(self, x):
        return self.scaled(x) + 1

    def scaled(self, x):
        return x * self.w

layer = Layer()

def step(x):  # region
    return layer(x)

for _ in range(5):
    step(torch.ones(2))

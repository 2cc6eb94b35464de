# A metaclass decides what a call of its class does.
import torch

class Meta(type):
    def __call__(cls, *args):
        return super().__call__(*args)

class Made(metaclass=Meta):
    def __init__(self, x):
        self.x = x

def step(x):  # region
    y = x * 2 + 1
    return Made(y).x

for _ in range(5):
    step(torch.ones(2))

# A constant that the region itself moves makes it start over, with that value symbolic.
import torch

class Model:
    def __init__(self):
        self.steps = 0

model = Model()

def step(x):  # region
    model.steps += 1
    if model.steps % 2 == 0:
        x = x * 2
    return x

for _ in range(6):
    step(torch.ones(2))

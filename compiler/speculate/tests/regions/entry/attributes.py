# Attributes are found by class and layout of the instance.
import torch

class Config:
    def __init__(self):
        self.rate = 0.5
        self.weights = torch.ones(2)

config = Config()

def step(x):  # region
    return x * config.weights * config.rate

for _ in range(5):
    step(torch.ones(2))

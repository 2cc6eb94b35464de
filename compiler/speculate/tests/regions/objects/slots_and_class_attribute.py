# Attributes of a class, through an instance and of itself.
import torch

class Config:
    rate = 0.5

    @classmethod
    def scaled(cls, x):
        return x * cls.rate

    @staticmethod
    def shifted(x):
        return x + 1

def step(x):  # region
    return Config().scaled(x) + Config.shifted(x)

for _ in range(5):
    step(torch.ones(2))

# A class that decides for itself how its attributes are found.
import torch

class Odd:
    def __getattribute__(self, name):
        return 2.0

odd = Odd()

def step(x):  # region
    y = x * 3
    return y * odd.anything

for _ in range(5):
    step(torch.ones(2))

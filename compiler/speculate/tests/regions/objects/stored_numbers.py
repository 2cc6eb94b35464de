# An instance of a class that derives from float: made here, given from outside, and beside a tensor.
import torch

class Degrees(float):
    def __add__(self, other):
        return Degrees(float(self) + float(other))

def step(x, warm):  # region
    made = Degrees(2.5) + warm
    return x * made, made

for i in range(5):
    step(torch.ones(2), Degrees(i))

# An object that only the region knows costs nothing.
import torch

class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def length(self):
        return (self.x * self.x + self.y * self.y).sqrt()

def step(x):  # region
    return Point(x, x * 2).length()

for _ in range(5):
    step(torch.ones(2))

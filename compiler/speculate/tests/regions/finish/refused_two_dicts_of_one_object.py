# The dict of an instance that the region writes has another name, too.
import torch

class Box:
    pass

box = Box()
names = vars(box)
box.x = torch.ones(2)

def step(y):  # region
    box.x = y * 2
    return names["x"]

for _ in range(5):
    step(torch.ones(2))

# An object that was another one each time: any of its class and layout will do.
# relax: structural item
import torch

class Item:
    def __init__(self, x):
        self.x = x

def step(item):  # region
    return item.x + 1

for i in range(5):
    step(Item(torch.full((2,), float(i))))

# An attribute that the region moves itself is no constant.
import torch

class Model:
    steps = 0

model = Model()

def step(x):  # region
    model.steps += 1
    return x * model.steps

for _ in range(5):
    step(torch.ones(2))

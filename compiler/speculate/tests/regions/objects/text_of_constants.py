# Text of what is known is made when the graph is.
import torch

params = {"layer0.weight": torch.ones(2), "layer1.weight": torch.zeros(2)}

def step(x):  # region
    for i in range(2):
        x = x + params[f"layer{i}.weight"]
    return x

for _ in range(5):
    step(torch.ones(2))

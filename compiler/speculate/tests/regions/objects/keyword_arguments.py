# Arguments are bound when the graph is made: defaults, keywords, stars.
import torch

def scaled(x, *rest, by=2, **more):
    return x * by + len(rest) + more["z"]

def step(x):  # region
    return scaled(x, 1, 2, z=3) + scaled(x, by=4, **{"z": 5})

for _ in range(5):
    step(torch.ones(2))

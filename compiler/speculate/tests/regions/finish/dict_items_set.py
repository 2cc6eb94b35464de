# Entries of a dict from outside.
import torch

cache = {"x": torch.zeros(2)}

def step(x):  # region
    cache["x"] = x * 2
    cache["n"] = 3
    del cache["n"]

for _ in range(5):
    step(torch.ones(2))

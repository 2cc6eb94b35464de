# Comprehensions are loops of known trips.
import torch

def step(x):  # region
    parts = [x * i for i in range(3) if i != 1]
    table = {i: p for i, p in enumerate(parts)}
    return table[0] + table[1]

for _ in range(5):
    step(torch.ones(2))

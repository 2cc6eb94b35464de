# A string that moves is told at entry: it can be a key and be compared.
# relax: symbolic name
# relax: open table
import torch

table = {"a": torch.ones(2), "b": torch.zeros(2), "c": torch.ones(2)}

def step(name):  # region
    return table[name] + 1

for i in range(5):
    step("abc"[i % 3])

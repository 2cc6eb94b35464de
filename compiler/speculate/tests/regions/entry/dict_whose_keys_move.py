# A dict whose keys moved is open: only the entries that are used are nodes.
# relax: open table
import torch

table = {"a": torch.ones(2), "b": torch.zeros(2)}

def step(x):  # region
    return x + table["a"]

for i in range(5):
    table[str(i)] = i
    step(torch.ones(2))

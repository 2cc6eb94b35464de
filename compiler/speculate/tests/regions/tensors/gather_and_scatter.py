# Rows by an index, and a sum into rows.
import torch

def step(table, index):  # region
    rows = table[index]
    return torch.zeros(4, 2).index_add(0, index, rows)

for _ in range(5):
    step(torch.ones(4, 2), torch.tensor([1, 3]))

# `insert(0, ...)`: the rows are read from the last one on.
# relax: symbolic n
import torch

def step(rewards, n):  # region
    returns = []
    total = 0.0
    for i in range(n):
        total = total * 0.9 + float(i)
        returns.insert(0, total)
    return rewards * torch.tensor(returns).sum()

for i in range(2, 8):
    step(torch.ones(2), i)

# Data decides which module comes next; parameters that were not used have no gradient.
import torch

a, b = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)

def step(x):  # region
    layer = a if x.sum() > 0 else b
    layer(x).sum().backward()

for i in range(6):
    for p in [*a.parameters(), *b.parameters()]:
        p.grad = None
    step(torch.ones(2) * (i % 2 - 0.5))

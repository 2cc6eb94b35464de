# Tensors that share memory are views of their base, once one of them was written.
# relax: through-base view
import torch

def step(base, view):  # region
    view.zero_()
    return base.sum()

for _ in range(5):
    x = torch.ones(2, 3)
    step(x, x[0])

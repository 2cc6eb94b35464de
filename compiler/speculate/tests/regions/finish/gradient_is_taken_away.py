# `.grad = None` is a commit.
import torch

w = torch.ones(2, requires_grad=True)
w.grad = torch.ones(2)

def step(x):  # region
    y = w.grad * x
    w.grad = None
    return y

for _ in range(5):
    w.grad = torch.ones(2)
    step(torch.ones(2))

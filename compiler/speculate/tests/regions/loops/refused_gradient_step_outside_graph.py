# A graph that was begun before the region is consumed in it.
import torch

w = torch.ones(2, requires_grad=True)

def step(loss):  # region
    total = loss * 2
    total.sum().backward()

for _ in range(5):
    w.grad = None
    step(w * 3)

# `backward()` inside the region records `janus.gradient`; the parameter's `.grad` is committed.
import torch

w = torch.ones(3, requires_grad=True)

def step(x):  # region
    loss = (w * x).sum()
    loss.backward()
    return loss

for _ in range(5):
    w.grad = None
    step(torch.ones(3))

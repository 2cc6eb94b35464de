# An optimizer's state is tensors that are written, and an attribute of its dict.
import torch

w = torch.nn.Parameter(torch.ones(3))
optimizer = torch.optim.SGD([w], lr=0.1, momentum=0.9)

def step(x):  # region
    optimizer.zero_grad()
    (w * x).sum().backward()
    optimizer.step()

for _ in range(5):
    step(torch.ones(3))

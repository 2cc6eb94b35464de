# A loop around a training step that is a frame: the parameter is carried.
import torch

w = torch.nn.Parameter(torch.ones(2))
optimizer = torch.optim.SGD([w], lr=0.1)

def train(xs):  # region
    for x in xs:
        optimizer.zero_grad()
        (w * x).sum().backward()
        optimizer.step()

for _ in range(5):
    train(torch.ones(30, 2))

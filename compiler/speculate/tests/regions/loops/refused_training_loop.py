# A loop around a training step over batches that are objects of their own would be unrolled.
import torch

w = torch.nn.Parameter(torch.ones(2))
optimizer = torch.optim.SGD([w], lr=0.1)

def train(batches):  # region
    for x in batches:
        optimizer.zero_grad()
        (w * x).sum().backward()
        optimizer.step()

for _ in range(5):
    train([torch.ones(2) for _ in range(20)])

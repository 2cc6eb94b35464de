# The next item of a generator from outside: the graph ends before it, and another one begins.
import torch

def numbers():
    while True:
        yield 2.0

source = numbers()

def step(x):  # region
    y = torch.tanh(x * 2)
    n = next(source)
    return torch.sigmoid(y * n) + 1

for _ in range(6):
    step(torch.ones(2))

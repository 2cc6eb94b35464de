# What is known when the graph is made is computed then.
import torch

def step(x):  # region
    n = 3
    k = sum(i * i for i in range(n)) + len("text")
    return x * k

for i in range(5):
    step(torch.ones(2))

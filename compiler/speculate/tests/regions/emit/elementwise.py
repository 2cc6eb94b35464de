# Arithmetic on tensors becomes one op each; a number is broadcast as `janus.full`.
import torch

def step(a, b):  # region
    return torch.tanh(a * b + 1) / 2

for _ in range(5):
    step(torch.ones(3), torch.ones(3))

# Functions made inside, with defaults.
import torch

def step(x):  # region
    square = lambda y, n=2: y ** n
    return (lambda f: f(x) + 1)(square)

for _ in range(5):
    step(torch.ones(2))

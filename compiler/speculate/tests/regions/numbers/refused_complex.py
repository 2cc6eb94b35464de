# A complex number that the graph would compute.
import torch

def step(x, t):  # region
    z = complex(t, 1.0) * 2
    return x * abs(z)

for i in range(5):
    step(torch.ones(2), float(i))

# An import of what is not there.
import torch

def step(x):  # region
    y = torch.tanh(x * 2)
    try:
        import no_such_module
    except ImportError:
        y = y + 1
    return y

for _ in range(5):
    step(torch.ones(2))

"""Does nothing but import torch."""

import torch

print(torch.zeros(1).item())

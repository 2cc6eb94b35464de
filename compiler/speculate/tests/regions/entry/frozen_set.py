# A set is guarded by its items, where a test on it decides.
import torch

kinds = {"relu", "tanh"}

def step(x, kind):  # region
    return torch.relu(x) if kind in kinds else x

for _ in range(5):
    step(torch.ones(2), "relu")

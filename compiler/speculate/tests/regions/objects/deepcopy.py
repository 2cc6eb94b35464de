# `copy.deepcopy` of containers of tensors.
import copy
import torch

def step(x):  # region
    state = {"a": [x * 2], "b": 3}
    other = copy.deepcopy(state)
    other["a"][0].add_(1)
    return state["a"][0] + other["a"][0]

for _ in range(5):
    step(torch.ones(2))

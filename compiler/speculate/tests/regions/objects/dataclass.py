# A dataclass is a class like any other.
from dataclasses import dataclass
import torch

@dataclass
class State:
    h: torch.Tensor
    c: torch.Tensor

def step(state):  # region
    return State(state.c + 1, c=state.h * 2)

state = State(torch.ones(2), torch.ones(2))
for _ in range(5):
    state = step(state)

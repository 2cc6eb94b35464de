# Named tuples, dataclasses and enums passed through the hot function.
from collections import namedtuple
from dataclasses import dataclass, field, replace
from enum import Enum

import torch

Batch = namedtuple("Batch", "x y")


class Mode(Enum):
    TRAIN = 1
    EVAL = 2


@dataclass
class State:
    weight: torch.Tensor
    steps: int = 0
    history: list = field(default_factory=list)


def step(state, batch, mode):
    pred = batch.x @ state.weight
    loss = ((pred - batch.y) ** 2).mean()
    if mode is Mode.TRAIN:
        g = 2 * batch.x.t() @ (pred - batch.y) / len(batch.y)
        state = replace(state, weight=state.weight - 0.1 * g, steps=state.steps + 1)
    state.history.append(loss.item())
    return state


torch.manual_seed(4)
data = Batch(torch.randn(8, 2), torch.randn(8))
state = State(torch.zeros(2))
for i in range(16):
    state = step(state, data, Mode.EVAL if i % 4 == 3 else Mode.TRAIN)
print(state.steps, len(state.history), f"{state.history[-1]:.5f}", Mode(1), data._fields)
print([f"{v:.4f}" for v in state.weight.tolist()])

# An instance of a class derived from tuple has a payload: what tuple stores.
from collections import namedtuple
import torch

Pair = namedtuple("Pair", "a b")

def step(x):  # region
    p = Pair(x, x * 2)
    return p._replace(b=p.a + p.b)

for _ in range(5):
    step(torch.ones(2))

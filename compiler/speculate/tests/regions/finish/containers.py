# Lists, dicts, tuples and sets are made from recipes; what is one object stays one.
import torch

def step(x):  # region
    y = x * 2
    shared = [y]
    return {"a": shared, "b": (shared, {1, 2}), "c": slice(0, 2)}

for _ in range(5):
    step(torch.ones(2))

# `with` takes its normal path: `__enter__` and `__exit__` are inlined.
import torch

class Scale:
    def __enter__(self):
        return 2.0

    def __exit__(self, *exc):
        return False

def step(x):  # region
    with Scale() as s:
        return x * s

for _ in range(5):
    step(torch.ones(2))

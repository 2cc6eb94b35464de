# What a decorator returns is inlined like what it wraps.
import functools
import torch

def twice(f):
    @functools.wraps(f)
    def run(*args):
        return f(*args) + f(*args)
    return run

@twice
def scaled(x):
    return x * 3

def step(x):  # region
    return scaled(x)

for _ in range(5):
    step(torch.ones(2))

# A traceback is looked into.
import torch

def step(x):  # region
    y = x * 2
    try:
        raise ValueError("x")
    except ValueError as e:
        line = e.__traceback__.tb_lineno
    return y * line

for _ in range(5):
    step(torch.ones(2))

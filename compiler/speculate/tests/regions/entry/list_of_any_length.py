# Items of one form, in a list whose length moved, are rows of a tensor that the guard makes.
# relax: rows numbers
import torch

def step(x, numbers):  # region
    for n in numbers:
        x = x * n
    return x

for i in range(3, 8):
    step(torch.ones(2), [0.5] * i)

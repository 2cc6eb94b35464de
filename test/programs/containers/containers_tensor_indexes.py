"""Sequences indexed by tensors of one element, and divmod of numbers that move."""

import torch

torch.manual_seed(0)
names = ["lin", "mlp", "sin", "abs"]
scales = (0.5, 1.0, 2.0)
used = [0] * 4
w = torch.randn(3, 4)


def pick(x):
    scores = x @ w
    at = scores.argmax()
    key = names[at]
    used[at] += 1
    scale = scales[(scores > 0).sum() % 3]
    letter = "wxyz"[at]
    far = range(10, 50, 10)[at]
    both = ["no", "yes"][scores[0] > 0]
    if key == "sin":
        x = x.sin()
    elif key == "abs":
        x = x.abs()
    return x * scale + far, key, letter, both


def place(x, i):
    row, column = divmod((x.sum() * 10).int().item(), 4)
    half, rest = divmod(x.sum().item(), 0.5)
    grid = torch.zeros(3)
    grid[column % 3] += row
    return grid + half, rest >= 0, divmod(i, 7), divmod(-i, 3.0)


for i in range(40):  # expect: tier 2, at most 8 entries in tier 0
    x = torch.randn(3)
    print(i, *pick(x), *place(x, i))
print(used)
for bad in (torch.tensor(1.0), torch.tensor([1, 2]), torch.tensor(7)):
    try:
        print(names[bad])
    except (TypeError, IndexError) as e:
        print(type(e).__name__, e)
for i in range(6):
    try:
        print(divmod(int(x.sum() * 10), i // 3))
    except ZeroDivisionError as e:
        print(e)

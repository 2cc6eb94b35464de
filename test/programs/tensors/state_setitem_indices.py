# Scattered writes by index lists with repeated places, and a row whose number moves.
import torch


def mark(x, rows, i):
    x[rows] = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]) * i
    x[i % 4, 1] = -i
    return x.sum()


x = torch.zeros(4, 2)
rows = torch.tensor([1, 3, 1])
total = 0.0
for i in range(18):
    total += mark(x, rows, i).item()
    if i == 9:
        rows = torch.tensor([2, 2, 0])
print(total, x.tolist())

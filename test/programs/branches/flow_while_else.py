# else clauses of while and for loops, reached or jumped over by break.
import torch


def search(values, target):
    i = 0
    while i < len(values):
        if values[i] == target:
            where = i
            break
        i += 1
    else:
        where = -1
    for j, v in enumerate(values):
        if v > target:
            first = j
            break
    else:
        first = None
    return where, first


def weighted(x, target):
    where, first = search([3, 1, 4, 1, 5, 9, 2, 6], target)
    y = x * where if where >= 0 else x
    return y + 1 if first is None else y - first


x = torch.arange(3.0)
out = []
for t in range(12):
    out.append(weighted(x, t).sum().item())
print(out)
print([search([2, 7], t) for t in (2, 7, 8, 0)])

# What a function returns from the middle of a loop is a number, or None where it comes to its end.
import torch

torch.manual_seed(3)


def bucket(v, edges):
    if not edges[0] <= v < edges[-1]:
        return None
    for k, (a, b) in enumerate(zip(edges, edges[1:])):
        if a <= v < b:
            return k


def first_above(row, limit):
    for j in range(4):
        if row[j] > limit:
            return j


def best(rows):
    at, score = None, None
    for i in range(3):
        s = rows[i].sum().item()
        if s > 0.2 and (score is None or s > score):
            at, score = i, s
    return at, score


hist, missed, none = [0] * 4, 0, 0
edges = (-2.0, -0.5, 0.0, 0.5, 2.0)
x = torch.randn(3, 4) * 0.3
for i in range(60):
    x = x * 0.8 + 0.3 * torch.sin(torch.arange(12.0).view(3, 4) + i)
    k = bucket(x[0, 0].item() * 5, edges)
    if k is None:
        missed += 1
    else:
        hist[k] += 1
    j = first_above(x[1], 0.3)
    none += j is None
    at, score = best(x)
    y = x[0] if at is None else x[at] * 2
    print(i, k, hist, missed, j, none, 'no' if score is None else round(score, 3), round(y.sum().item(), 3), at or 'first')

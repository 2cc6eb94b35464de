# Entries of dicts and lists, found by keys that move, that are one object at first and several later.
import torch

one = torch.tensor([1.0, 2.0])
table = {k: one for k in range(8)}
named = {(k, k + 1): one for k in range(4)}
rows = [one] * 6
total = torch.zeros(2)


def pick(n):
    a, b, c = table[n], table[n + 1], table[(n + 2) % 8]
    return a * 1 + b * 10 + c * 100


def pairs(n):
    a, b, c = named[(0, 1)], named[(1, 2)], named[(2, 3)]
    return a - b * 2 + c * n


for i in range(48):
    n = i % 6
    p = pick(n)
    q = pairs(n)
    r = rows[n] * 3 + rows[(n + 1) % 6] * 5 + rows[(n + 2) % 6] * 7
    total = total * 0.5 + p + q + r
    if i % 12 == 5:
        k = i // 12
        table[k + 1] = torch.tensor([3.0 + k, -1.0])
        named[(k, k + 1)] = torch.tensor([0.5, 4.0 + k])
        rows[k] = torch.tensor([-2.0, 7.0 * k])
    if i % 4 == 3:
        print(i, p.tolist(), q.tolist(), r.tolist())
print(total.tolist())

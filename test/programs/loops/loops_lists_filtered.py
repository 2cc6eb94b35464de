# Lists that get an item in some iterations of a loop whose length moves.
import torch

seen = []


def sieve(n, x):
    threes, others = [], []
    s = x * 0
    for i in range(n):
        s = s + x * i + x.mean()
        if i % 3 == 0:
            threes.append(i)
        else:
            others.append(i)
    return threes, others, s.sum()


def one_of_them(n, x):
    threes, others = [], []
    s = x * 0
    for i in range(n):
        s = s + x * i + x.mean()
        chosen = threes if i % 3 == 0 else others
        chosen.append(i)
    return threes, others, s.sum()


def inner_break(n, x):
    items = [7]
    s = x * 0
    for i in range(n):
        s = s + x * i + x.mean()
        for j in range(i):
            if j == 2:
                break
            items.append(i * 10 + j)
    return items, s.sum()


def steps(n, x):
    items = []
    s = x * 0
    i = 0
    while i < n:
        s = s + x * i + x.mean()
        i += 1
        if i % 3 != 1:
            continue
        items.append(i)
        if len(items) > 2:
            items.append(100)
        seen.append(i)
    total = 0
    for v in items:
        total += v
    return items, total, len(seen), s.sum()


def comprehensions(n, x):
    y = (x * 2).sum() + x.mean()
    return [i for i in range(n) if i % 3 == 0], [i * y for i in range(n) if i % 3], y


for step in range(40):
    n, x = step % 7 + 3, torch.ones(3) * step
    print(sieve(n, x))
    print(one_of_them(n, x))
    print(inner_break(n, x))
    print(steps(n, x))
    print(comprehensions(n, x))
print(seen)

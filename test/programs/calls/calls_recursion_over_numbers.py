# Recursion that numbers end: mutual, twofold, with writes, and through tensors' lengths.
import torch


def even(n, x):
    return x if n == 0 else odd(n - 1, x * 1.5)


def odd(n, x):
    return -x if n == 0 else even(n - 1, x - 0.25)


def fib(n, t):
    if n < 2:
        return t * n
    return fib(n - 1, t) + fib(n - 2, t)


def hanoi(n, a, b, c, t):
    if n:
        hanoi(n - 1, a, c, b, t)
        t[a] -= n
        t[b] += n
        hanoi(n - 1, c, b, a, t)


def sort(x):
    if x.numel() <= 1:
        return x
    p, r = x[0], x[1:]
    return torch.cat([sort(r[r < p]), p[None], sort(r[r >= p])])


total = torch.zeros(2)
for i in range(60):
    total = total + even(i % 12, torch.ones(2))
print(total)
for n in range(3, 12):
    print(n, fib(n, torch.tensor([1.0, 2.0])).tolist(), end=" ")
print()
for n in range(1, 8):
    t = torch.tensor([28, 0, 0])
    hanoi(n, 0, 1, 2, t)
    print(t.tolist(), end=" ")
print()
for i in range(20):
    x = (torch.arange(i) * 7) % 11
    q = sort(x)
print(q)

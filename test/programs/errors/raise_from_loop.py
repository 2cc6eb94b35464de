# Exceptions that leave a loop whose trip count moves, in the same function and in a callee.
import torch

torch.manual_seed(6)


class Found(Exception):
    pass


def search(xs, limit):
    total = torch.zeros(())
    for k in range(xs.size(0)):
        total = total + xs[k]
        if total > limit:
            raise Found(k, xs.size(0))
    return total


hits, rest = [], torch.zeros(())
for i in range(50):
    xs = torch.rand(3 + i * 7 % 40)
    try:
        rest = rest + search(xs, 6.0)
    except Found as e:
        hits.append(e.args[0] * 100 + e.args[1])
print(hits[:8], len(hits), sum(hits), rest)


def collatz(n, limit):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
        if n > limit:
            raise OverflowError(n)
    return steps


def longest(lo, hi, limit):
    best, over = torch.zeros(()), 0
    for n in range(lo, hi):
        try:
            best = torch.maximum(best, torch.tensor(float(collatz(n, limit))))
        except OverflowError as e:
            over += 1
    return best, over


for i in range(12):
    print(*longest(3 + i, 20 + 2 * i, 100 + i))

# What a sort gives where `<` is no total order, how often it asks, in which order keys are made, and what is left when
# a comparison raises.
import random

random.seed(1)
nan = float('nan')
for n in (2, 3, 5, 8, 12, 20, 40, 70, 200, 700):
    floats = [random.choice([nan, 1.5, 2.5, 0.5, -1.0, 7.0]) for _ in range(n)]
    sets = [random.choice([{1}, {2}, {1, 2}, {3}, set()]) for _ in range(n)]
    print(sorted(floats)[:12], sorted(floats, reverse=True)[-6:], sorted(sets)[:9], sorted(sets, key=len)[:3])


class Counted:
    asked = []
    stop = None

    def __init__(self, key, at): self.key, self.at = key, at

    def __lt__(self, other):
        Counted.asked.append((self.at, other.at))
        if len(Counted.asked) == Counted.stop: raise ValueError(Counted.stop)
        return self.key < other.key


def shapes(n):
    yield [i for i in range(n)]
    yield [-i for i in range(n)]
    yield [i % 7 for i in range(n)]
    yield [i * 7919 % 1009 for i in range(n)]
    yield [i // 50 * (-1) ** (i // 30) for i in range(n)]
    yield [*range(n // 2), *range(n // 2)]
    yield [*range(n - 20), *[random.randrange(n) for _ in range(20)]]
    yield [random.random() < 0.5 for _ in range(n)]


for n in (1, 2, 31, 63, 64, 65, 130, 500, 1500):
    for keys in shapes(n):
        row = []
        for reverse in (False, True):
            Counted.asked.clear()
            done = sorted([Counted(k, i) for i, k in enumerate(keys)], reverse=reverse)
            row.append((len(Counted.asked), hash(tuple(Counted.asked)) % 9973, hash(tuple(c.at for c in done)) % 9973))
        print(n, *row)
for stop in (1, 5, 40, 300, 900, 1500):
    Counted.asked.clear()
    Counted.stop = stop
    kept = [Counted(i * 7919 % 61 + i // 40, i) for i in range(300)]
    try:
        kept.sort(reverse=stop % 2 == 0)
    except ValueError as e:
        print(e, hash(tuple(c.at for c in kept)) % 9973, sorted(c.at for c in kept) == list(range(300)))
Counted.stop = None
made = []
print(sorted('bca', key=lambda c: made.append(c) or c, reverse=True), made)
left = [3, 1, 2]
try:
    left.sort(key=lambda v: 1 // (v - 1), reverse=True)
except ZeroDivisionError:
    print(left)

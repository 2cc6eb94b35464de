"""Iterators of itertools."""
import itertools
from itertools import accumulate, chain, combinations, compress, count, cycle, dropwhile, filterfalse, islice
from itertools import pairwise, permutations, product, repeat, starmap, takewhile, zip_longest
import torch
torch.manual_seed(0)

def pairs(ws, k):
    s = torch.zeros(())
    for a, b in combinations(ws, 2):
        s = s + torch.dot(a, b)
    for p in permutations(ws, 2):
        s = s + p[0].sum() - p[1].sum() * 0.5
    acc = list(accumulate([w.sum() for w in ws], lambda p, q: p * 0.5 + q))
    s = s + acc[-1] + sum(x * y for x, y in product((1, 2), range(k)))
    for a, b in pairwise(ws):
        s = s + (a - b).abs().sum()
    return s + sum(starmap(pow, [(2, 3), (k, 2)]))

def mixed(ws, i):
    s = 0.0
    for w in chain(ws, [ws[0] * 2]):
        s = s + w.sum()
    for w in chain.from_iterable([ws, ws[:1]]):
        s = s + w.mean()
    for p, q, r in zip_longest(ws, [1.0, 2.0], [3], fillvalue=0.5):
        s = s + p.sum() * q + r
    for n, w in zip(count(1, 2), ws):
        s = s + w.sum() * n
    for c, w in zip(cycle([1, -1]), ws):
        s = s + c * w.max()
    for w, n in zip(ws, repeat(3)):
        s = s + w.min() * n
    for w in islice(ws, 1, None, 2):
        s = s + w[0]
    for w in compress(ws, [1, 0, 1]):
        s = s + w[1]
    small = list(takewhile(lambda n: n < 3, [1, 2, 5, 1])) + list(dropwhile(lambda n: n < 3, [1, 5, 1]))
    odd = [*filterfalse(lambda n: n % 2, range(6)), *accumulate([1, 2, 3], initial=10)]
    return s + sum(small) * 0.1 + sum(odd)

ws = [torch.randn(3) for _ in range(4)]
t = 0.0
for i in range(60):
    t += pairs(ws, i % 3).item() + mixed(ws[:3], i).item()
    ws[i % 4] = ws[i % 4] * 0.95 + 0.05
print(f"{t:.3f}")
it = iter(range(10))
print(list(islice(it, 2)), list(islice(it, 5, 3)), list(it), list(product("ab", repeat=2)))

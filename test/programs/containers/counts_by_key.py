# Numbers in dicts under ints that the graph computes: counters, sums, a key that is not there, other kinds of values.
from collections import Counter, defaultdict

import torch

torch.manual_seed(4)
seen = Counter()
sums = {k: 0.0 for k in range(-1, 5)}
full = Counter({k: 0 for k in range(-1, 5)})
plain = {}
by_class = defaultdict(int)
table = {0: 1.5, 1: 2.5, 2: 4.0}
rows = {0: torch.zeros(2), 1: torch.ones(2), 2: torch.ones(2) * 2}
missing = 0


def first_above(x, t):
    for i, v in enumerate(x):
        if v > t:
            break
    else:
        return -1
    return i


for i in range(80):
    x = torch.randn(5)
    k = first_above(x, 0.8)
    sums[k] += x[0].item()
    full[k] += 1
    c = int((x > 0).sum())
    try:
        w = table[c]
    except KeyError:
        missing += 1
        w = 0.0
    if i % 20 == 19:
        print(i, sorted(full.items()), {k: round(v, 3) for k, v in sums.items()}, missing)
for i in range(80):  # expect: tier 2, at most 14 entries in tier 0
    x = torch.randn(5)
    k = first_above(x, 0.8)
    c = int((x > 0).sum())
    seen[k] += 1
    by_class[c] += 1
    plain[c] = plain.get(c, 10) + 2
for i in range(40):
    x = torch.randn(5)
    c = int((x > 0).sum())
    if c in rows:
        rows[c] = rows[c] * 0.9 + x[:2]
print(sorted(seen.items()), sorted(by_class.items()), sorted(plain.items()), {k: [round(v, 3) for v in r.tolist()] for k, r in rows.items()})
hist = {0: 0, 1: 0}
for i in range(40):
    c = int(torch.rand(()) * 2)
    hist[c] += 1
    if i == 20:
        hist[1] = 0.5
    if i == 30:
        hist = {1: 7, 0: 3}
print(hist)

# A dict keeps the key that it has: what is stored under an equal one must reach it.
from collections import Counter, defaultdict

import torch

pairs = {(0, 0): 0, (1, "a"): 0.0}
mixed = {1: 0, 2.0: 0, False: 0}
counts, sums = Counter(), defaultdict(float)
shapes = {}
for i in range(60):
    x = torch.ones(2 + i % 2) * i
    pairs[0, 0] += 1
    pairs[1, "a"] += x.sum().item()
    mixed[True] += 1
    mixed[2] = i
    mixed[0] += 2
    counts["ab"[i % 2], 1] += 1
    sums[(i % 3,)] += 0.5
    shapes[tuple(x.shape)] = shapes.get(tuple(x.shape), 0) + 1
print(pairs, mixed, sorted(counts.items()), sorted(sums.items()), shapes)

"""Random numbers of numpy's Generator: PCG64, the same for a seed."""

import numpy as np
from numpy.random import SeedSequence, default_rng

for seed in (0, 42, 2**40 + 3, [1, 2, 3], 2**130):
    r = default_rng(seed)
    print(r.random(2), r.standard_normal(3), r.integers(0, 10, 5), r.normal(1, 2, 2), r.uniform(-1, 1, (2, 2)))
    print(r.permutation(6), r.choice(5, 3), r.choice(10, 4, replace=False), r.choice(20000, 3, replace=False))
    print(r.integers(2**40, size=2), r.integers(5), r.choice([1.5, 2.5], 2, p=[0.3, 0.7]), r.random(), r.choice(3))
    numbers = [1, 2, 3, 4]
    r.shuffle(numbers)
    rows = np.arange(6).reshape(3, 2)
    r.shuffle(rows)
    print(numbers, rows, r.integers(1, 3, endpoint=True, size=3), r.integers(0, [3, 4]), r.integers(0, 2**32, 2))
    print(r.choice(5, 3, replace=False, p=[0.1, 0.2, 0.3, 0.2, 0.2]), r.permutation(rows), r.lognormal(size=2))
    print(type(r.integers(3)), type(r.random()), type(r.choice(3)), r.choice(30000, 700, replace=False)[:5])
print(SeedSequence(5).spawn(2)[1].generate_state(2), default_rng(SeedSequence(5).spawn(2)[0]).random())
x = default_rng(7).standard_normal(20000)
print(f"{x.sum():.10f} {x.max():.12f} {x.min():.12f}", x[-3:])
for what in (lambda: default_rng(-1), lambda: r.integers(3, 3), lambda: r.choice(3, 4, replace=False), lambda: r.nosuch):
    try:
        print(what())
    except (ValueError, AttributeError) as error:
        print(type(error).__name__)

"""Random numbers of numpy's legacy generator: the same for a seed."""

import numpy as np

x = np.random.RandomState(42)
print(x.rand(2), x.randn(3), x.randint(5, size=(2, 3)), x.randint(0, 2**40, 3), x.randint(0, 255, 5, dtype=np.uint8))
print(x.uniform(0, 10, 2), x.choice([10, 20, 30], 4), x.choice(5, 2, p=[0.1, 0.2, 0.3, 0.2, 0.2]), x.choice(10, 4, replace=False))
print(x.permutation(6), x.permutation(np.arange(6).reshape(3, 2)), x.normal([1, 2, 3], 0.1), x.exponential(2, 2))
print(x.standard_normal(2), x.laplace(size=2), x.gumbel(size=2), x.lognormal(size=2), x.randint(0, 2, 5, dtype=bool))
print(x.choice(5, 3, replace=False, p=[0.1, 0.2, 0.3, 0.2, 0.2]), x.randint([1, 2, 3], 9), x.bytes(3))
numbers = [1, 2, 3, 4, 5]
x.shuffle(numbers)
rows = np.arange(6).reshape(3, 2)
x.shuffle(rows)
print(numbers, rows)

np.random.seed(123)
print(np.random.random(), np.random.random((2,)), np.random.randint(10), type(np.random.randint(10)), np.random.rand())
print(np.random.normal(), type(np.random.normal()), np.random.normal(5, 2, (2, 2)), np.random.choice([1.5, 2.5]), np.random.choice(4))
for seed in ([1, 2, 3], 2**32 - 1, 0):
    np.random.seed(seed)
    print(np.random.rand(2), np.random.permutation(4))
state = np.random.get_state()
first = np.random.randn(3)
np.random.set_state(state)
print((first == np.random.randn(3)).all())
for what in [
    lambda: np.random.seed(-1), lambda: np.random.randint(3, 3), lambda: np.random.choice(3, 5, replace=False),
    lambda: np.random.choice([]), lambda: np.random.normal(0, -1), lambda: np.random.choice(2, p=[0.5, 0.6]),
]:
    try:
        print(what())
    except ValueError as error:
        print("ValueError", error)


def walk(steps):
    """Hot: draws one by one."""
    at = 0.0
    for _ in range(steps):
        at += np.random.normal() if np.random.rand() < 0.5 else np.random.uniform(-1, 1)
        at -= np.random.randint(3)
    return at


np.random.seed(5)
for steps in (3, 50, 120):
    print(walk(steps))


for seed in (0, 5, 11):
    r = np.random.RandomState(seed)
    print(r.beta(0.2, 0.2), r.beta(2, 3, 3), r.beta([1, 2], 1.5), r.gamma(0.3, 2, 2), r.gamma(3.5, size=2), r.standard_gamma(1.0))
    print(r.chisquare(3), r.dirichlet([1, 2, 0.5]), r.dirichlet((1, 1), 2), r.poisson(3, 5), r.poisson(50, 5), r.poisson())
    print(r.binomial(10, 0.3, 5), r.binomial(1, 0.9, 4), r.multinomial(10, [0.2, 0.3, 0.5]), r.multinomial(5, [0.5, 0.5], 2))
np.random.seed(3)
print(np.random.beta(1.0, 1.0), np.random.poisson(2, (2, 2)), np.random.dirichlet([0.5] * 3), type(np.random.poisson(3)))
for what in (lambda: np.random.beta(0, 1), lambda: np.random.poisson(-1), lambda: np.random.binomial(3, 2)):
    try:
        print(what())
    except ValueError as error:
        print("ValueError", error)

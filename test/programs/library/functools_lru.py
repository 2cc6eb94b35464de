"""lru_cache: which entry goes, in whatever order they were used."""

import functools
import random

for size in (1, 2, 5, 17):
    made = []

    @functools.lru_cache(maxsize=size)
    def f(x):
        made.append(x)
        return x * 2

    rng = random.Random(size)
    total = 0
    for i in range(600):
        total += f(int(rng.paretovariate(1)) % 40 if i % 3 else i % 7)
    print(size, total, len(made), made[-12:], f.cache_info(), hash(tuple(made)) % 1000)
    f.cache_clear()
    print(f(3), f(3), f.cache_info())


@functools.lru_cache(maxsize=3)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


print(fib(30), fib.cache_info(), fib(29), fib.cache_info())


@functools.lru_cache(maxsize=0)
def never(x):
    return [x]


print(never(1) is never(1), never.cache_info())


@functools.cache
def always(*args, **kwargs):
    return [args, kwargs]


print(always(1, a=2) is always(1, a=2), always(1) is always(1.0), always.cache_info())


@functools.lru_cache(maxsize=2, typed=True)
def typed(x):
    return type(x).__name__


print(typed(1), typed(1.0), typed(1), typed(True), typed(1.0), typed.cache_info())

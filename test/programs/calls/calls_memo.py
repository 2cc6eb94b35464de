# A memo dict keyed by ints and tuples, filled by a recursive function of tensors.
import functools

import torch

hits = 0
memo = {}


def power(x, n):
    global hits
    if n in memo:
        hits += 1
        return memo[n]
    r = x if n == 1 else power(x, n // 2) * power(x, n - n // 2)
    memo[n] = r
    return r


@functools.lru_cache(maxsize=None)
def binomial(n, k):
    return 1 if k in (0, n) else binomial(n - 1, k - 1) + binomial(n - 1, k)


x = torch.tensor([1.01, 0.99])
for i in range(1, 16):
    memo.clear()
    y = power(x, i) * binomial(i, i // 2)
print([f"{v:.3f}" for v in y.tolist()], hits, len(memo), binomial.cache_info().currsize)

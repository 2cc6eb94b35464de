"""Random arrays: `default_rng`, RandomState, and its functions that all share. Draws for a seed are NumPy's.

It is MT19937, as Python's `random` is, so that a generator of that draws the words here.
"""

import math
import random as _random
import torch
from torch import _C

from numpy._array import _as_tensor, _wrap, array, asarray, moved, ndarray, result
from numpy._distributions import Further
from numpy._draws import Draws, common_shape, count_of, extents
from numpy._dtypes import ItemDType, as_dtype
from numpy._generator import PCG64, Generator, SeedSequence, default_rng
from numpy._multivariate import multivariate_normal as _drawn

_WORDS = 624
_WORD = 0xFFFFFFFF
# The largest int of 64 bits.
_LARGEST = 2**63 - 1


def _seeded(seed):
    """The words of a generator that a number starts."""
    words = [seed & _WORD]
    for i in range(1, _WORDS):
        last = words[-1]
        words.append((1812433253 * (last ^ (last >> 30)) + i) & _WORD)
    return words


def _seeded_by_array(key):
    """The words of a generator that several numbers start."""
    mt = _seeded(19650218)
    i, j = 1, 0
    for _ in range(max(_WORDS, len(key))):
        mt[i] = ((mt[i] ^ ((mt[i - 1] ^ (mt[i - 1] >> 30)) * 1664525)) + (key[j] & _WORD) + j) & _WORD
        i, j = i + 1, j + 1
        if i >= _WORDS:
            mt[0], i = mt[_WORDS - 1], 1
        if j >= len(key):
            j = 0
    for _ in range(_WORDS - 1):
        mt[i] = ((mt[i] ^ ((mt[i - 1] ^ (mt[i - 1] >> 30)) * 1566083941)) - i) & _WORD
        i += 1
        if i >= _WORDS:
            mt[0], i = mt[_WORDS - 1], 1
    mt[0] = 0x80000000
    return mt


class RandomState(Further, Draws):
    """A generator of random arrays."""

    def __init__(self, seed=None):
        self._generator = _random.Random()
        self._uniform = self._generator.random
        self._spare = None
        if seed is not None:
            self.seed(seed)

    def seed(self, seed=None):
        self._spare = None
        if seed is None:
            self._generator.seed()
            return
        if isinstance(seed, (int, float)):
            if isinstance(seed, float):
                raise TypeError(
                    "Cannot cast scalar from dtype('float64') to dtype('int64') according to the rule 'safe'"
                )
            if not 0 <= seed <= _WORD:
                raise ValueError("Seed must be between 0 and 2**32 - 1")
            words = _seeded(int(seed))
        else:
            key = _as_tensor(seed).reshape(-1).tolist()
            if not key:
                raise ValueError("Seed must be non-empty")
            if min(key) < 0 or max(key) > _WORD:
                raise ValueError("Seed values must be between 0 and 2**32 - 1")
            words = _seeded_by_array(key)
        self._generator.setstate((3, (*words, _WORDS), None))

    def get_state(self, legacy=True):
        _, words, _ = self._generator.getstate()
        spare = 0.0 if self._spare is None else self._spare
        key, at, has = array(words[:_WORDS]), words[_WORDS], int(self._spare is not None)
        if legacy:
            return ("MT19937", key, at, has, spare)
        return {"bit_generator": "MT19937", "state": {"key": key, "pos": at}, "has_gauss": has, "gauss": spare}

    def set_state(self, state):
        if isinstance(state, dict):
            inner = state["state"]
            spare = (state.get("has_gauss", 0), state.get("gauss", 0.0))
            state = (state["bit_generator"], inner["key"], inner["pos"], *spare)
        if state[0] != "MT19937":
            raise ValueError("set_state can only be used with legacy MT19937 state instances.")
        words = [int(w) for w in _as_tensor(state[1]).tolist()]
        self._generator.setstate((3, (*words, int(state[2])), None))
        self._spare = float(state[4]) if len(state) > 3 and state[3] else None

    # One number at a time

    def _normal(self):
        """A normal draw: two at a time, one of which is kept."""
        if self._spare is not None:
            value, self._spare = self._spare, None
            return value
        draw = self._uniform
        r2 = 0.0
        while r2 >= 1.0 or r2 == 0.0:
            x1 = 2.0 * draw() - 1.0
            x2 = 2.0 * draw() - 1.0
            r2 = x1 * x1 + x2 * x2
        f = math.sqrt(-2.0 * math.log(r2) / r2)
        self._spare = f * x1
        return f * x2

    def _below(self, most):
        """An int from 0 to `most`, both included: words are cut to as many bits, and drawn again while too large."""
        if most == 0:
            return 0
        bits = most.bit_length()
        mask = (1 << bits) - 1
        word = self._generator.getrandbits
        if bits <= 32:
            value = word(32) & mask
            while value > most:
                value = word(32) & mask
            return value
        value = ((word(32) << 32) | word(32)) & mask
        while value > most:
            value = ((word(32) << 32) | word(32)) & mask
        return value

    def _small(self, most, bits, count):
        """As `_below`, of dtypes of 8 or 16 bits, or one: several come out of each word."""
        mask = (1 << most.bit_length()) - 1
        unit = (1 << bits) - 1
        buffer, left = 0, 0
        found = []
        for _ in range(count):
            if most == 0:
                found.append(0)
                continue
            while True:
                if left == 0:
                    buffer, left = self._generator.getrandbits(32), 32 // bits - 1
                else:
                    buffer >>= bits
                    left -= 1
                value = buffer & unit & mask
                if value <= most:
                    break
            found.append(value)
        return found

    # Many numbers at a time

    def _uniforms(self, count):
        return _C._twister_uniform(self._generator, count)

    def _normals(self, count):
        spare = self._spare
        if count == 0:
            return torch.empty(0, dtype=torch.float64)
        missing = count if spare is None else count - 1
        drawn = _C._twister_normal(self._generator, missing + missing % 2)
        self._spare = drawn[missing].item() if missing % 2 else None
        drawn = drawn[:missing]
        return drawn if spare is None else torch.cat([torch.tensor([spare], dtype=torch.float64), drawn])

    def _many_below(self, most, count):
        """Ints from 0 to `most`, both included."""
        if most >= _LARGEST:
            return torch.tensor([self._below(most) for _ in range(count)], dtype=torch.int64)
        return _C._twister_masked(self._generator, most + 1, count)

    # Distributions

    def random_sample(self, size=None):
        return self.random(size)

    def rand(self, *shape):
        return self.random(shape if shape else None)

    def randn(self, *shape):
        return self.standard_normal(shape if shape else None)

    def _exponential(self):
        return -math.log(1.0 - self._uniform())

    def standard_exponential(self, size=None):
        return self._filled(self._exponential, size)

    def exponential(self, scale=1.0, size=None):
        return self._scaled(self.standard_exponential, size, (scale,), lambda e, scale: e * scale)

    def laplace(self, loc=0.0, scale=1.0, size=None):
        def draw():
            u = self._uniform()
            while u == 0.0:
                u = self._uniform()
            return -math.log(2.0 - u - u) if u >= 0.5 else math.log(u + u)

        return self._scaled(lambda size: self._filled(draw, size), size, (loc, scale), lambda x, loc, scale: x * scale + loc)

    def gumbel(self, loc=0.0, scale=1.0, size=None):
        def draw():
            u = 1.0 - self._uniform()
            while u >= 1.0:
                u = 1.0 - self._uniform()
            return -math.log(-math.log(u))

        return self._scaled(lambda size: self._filled(draw, size), size, (loc, scale), lambda x, loc, scale: x * scale + loc)

    def _gamma(self, shape):
        """Marsaglia and Tsang's; below one that of Ahrens and Dieter."""
        if shape == 1.0:
            return self._exponential()
        if shape == 0.0:
            return 0.0
        if shape < 1.0:
            while True:
                u, v = self._uniform(), self._exponential()
                if u <= 1.0 - shape:
                    x = u ** (1.0 / shape)
                    if x <= v:
                        return x
                else:
                    y = -math.log((1.0 - u) / shape)
                    x = (1.0 - shape + shape * y) ** (1.0 / shape)
                    if x <= v + y:
                        return x
        b = shape - 1.0 / 3.0
        c = 1.0 / math.sqrt(9.0 * b)
        while True:
            v = 0.0
            while v <= 0.0:
                x = self._normal()
                v = 1.0 + c * x
            v = v * v * v
            u = self._uniform()
            if u < 1.0 - 0.0331 * (x * x) * (x * x) or math.log(u) < 0.5 * x * x + b * (1.0 - v + math.log(v)):
                return b * v

    def _beta(self, a, b):
        if a > 1.0 or b > 1.0:
            x = self._gamma(a)
            return x / (x + self._gamma(b))
        while True:
            # Jöhnk's.
            u, v = self._uniform(), self._uniform()
            x, y = u ** (1.0 / a), v ** (1.0 / b)
            if 0.0 < x + y <= 1.0:
                return x / (x + y)

    def _poisson(self, lam):
        if lam == 0.0:
            return 0
        if lam < 10.0:
            least, product, found = math.exp(-lam), 1.0, -1
            while True:
                found += 1
                product *= self._uniform()
                if product <= least:
                    return found
        # Hörmann's transformed rejection.
        b = 0.931 + 2.53 * math.sqrt(lam)
        a = -0.059 + 0.02483 * b
        inverse, ratio = 1.1239 + 1.1328 / (b - 3.4), 0.9277 - 3.6224 / (b - 2.0)
        while True:
            u = self._uniform() - 0.5
            v = self._uniform()
            us = 0.5 - abs(u)
            k = math.floor((2.0 * a / us + b) * u + lam + 0.43)
            if us >= 0.07 and v <= ratio:
                return k
            if k < 0 or (us < 0.013 and v > us):
                continue
            limit = -lam + k * math.log(lam) - math.lgamma(k + 1.0)
            if math.log(v) + math.log(inverse) - math.log(a / (us * us) + b) <= limit:
                return k

    def _binomial(self, n, p):
        if p > 0.5:
            return n - self._binomial(n, 1.0 - p)
        if n == 0 or p == 0.0:
            return 0
        if n * p > 30.0:
            return _C._twister_binomial(self._generator, n, p)
        # By inversion.
        q = 1.0 - p
        start = math.exp(n * math.log(q))
        bound = int(min(n, n * p + 10.0 * math.sqrt(n * p * q + 1)))
        found, px, u = 0, start, self._uniform()
        while u > px:
            found += 1
            if found > bound:
                found, px, u = 0, start, self._uniform()
            else:
                u -= px
                px = (n - found + 1) * p * px / (found * q)
        return found

    def _each(self, draw, size, parameters, dtype=torch.float64):
        """A draw for each place of parameters that may be arrays."""
        tensors = [_as_tensor(p) for p in parameters]
        shape = common_shape(size, [t.shape for t in tensors])
        rows = zip(*[t.expand(shape).reshape(-1).tolist() for t in tensors])
        found = [draw(*row) for row in rows]
        return found[0] if size is None and not shape else _wrap(torch.tensor(found, dtype=dtype).reshape(shape))

    def standard_gamma(self, shape, size=None):
        return self._each(self._gamma, size, (shape,))

    def gamma(self, shape, scale=1.0, size=None):
        return self._each(lambda a, b: b * self._gamma(a), size, (shape, scale))

    def chisquare(self, df, size=None):
        return self._each(lambda d: 2.0 * self._gamma(d / 2.0), size, (df,))

    def beta(self, a, b, size=None):
        if (_as_tensor(a) <= 0).any() or (_as_tensor(b) <= 0).any():
            raise ValueError(f"{'a' if (_as_tensor(a) <= 0).any() else 'b'} <= 0")
        return self._each(self._beta, size, (a, b))

    def dirichlet(self, alpha, size=None):
        alpha = _as_tensor(alpha).reshape(-1).tolist()
        shape = [] if size is None else extents(size)
        rows = []
        for _ in range(count_of(shape)):
            row = [self._gamma(a) for a in alpha]
            scale, total = 1.0, 0.0
            for x in row:
                total += x
            scale /= total
            rows.append([x * scale for x in row])
        return _wrap(torch.tensor(rows, dtype=torch.float64).reshape([*shape, len(alpha)]))

    def poisson(self, lam=1.0, size=None):
        if (_as_tensor(lam) < 0).any():
            raise ValueError("lam < 0 or lam is NaN")
        return self._each(self._poisson, size, (lam,), torch.int64)

    def binomial(self, n, p, size=None):
        if not ((_as_tensor(p) >= 0) & (_as_tensor(p) <= 1)).all():
            raise ValueError("p < 0, p > 1 or p is NaN")
        return self._each(self._binomial, size, (n, p), torch.int64)

    def multinomial(self, n, pvals, size=None):
        pvals = _as_tensor(pvals).tolist()
        shape = [] if size is None else extents(size)
        rows = []
        for _ in range(count_of(shape)):
            left, share, row = n, 1.0, [0] * len(pvals)
            for j, p in enumerate(pvals[:-1]):
                row[j] = self._binomial(left, p / share)
                left -= row[j]
                if left <= 0:
                    break
                share -= p
            if left > 0:
                row[-1] = left
            rows.append(row)
        return _wrap(torch.tensor(rows, dtype=torch.int64).reshape([*shape, len(pvals)]))

    def multivariate_normal(self, mean, cov, size=None, check_valid="warn", tol=1e-8):
        return _drawn(self, mean, cov, size, check_valid, tol, "svd", older=True)

    def randint(self, low, high=None, size=None, dtype=int):
        if high is None:
            low, high = 0, low
        kind = as_dtype(dtype)
        if not (isinstance(low, (int, float)) and isinstance(high, (int, float))):
            return self._randint_between(low, high, size, kind)
        low, high = int(low), int(high)
        if low >= high:
            raise ValueError("low >= high")
        own_low, own_high = (0, 1) if kind.kind == "b" else (kind._low, kind._high)
        if low < own_low:
            raise ValueError(f"low is out of bounds for {kind.name}")
        if high - 1 > own_high:
            raise ValueError(f"high is out of bounds for {kind.name}")
        most = high - 1 - low
        shape = [] if size is None else extents(size)
        if kind.kind == "b" or kind.itemsize < 4:
            values = self._small(most, 1 if kind.kind == "b" else 8 * kind.itemsize, count_of(shape))
            values = torch.tensor(values, dtype=torch.int64)
        else:
            values = self._many_below(most, count_of(shape))
        if size is None:
            value = values.item() + low
            return value if dtype is int else kind.type(value)
        return _wrap((values + low).to(kind._torch).reshape(shape))

    def _randint_between(self, low, high, size, kind):
        low, high = torch.broadcast_tensors(_as_tensor(low), _as_tensor(high))
        if size is not None:
            low, high = low.expand(extents(size)), high.expand(extents(size))
        bounds = zip(low.reshape(-1).tolist(), high.reshape(-1).tolist())
        values = []
        for lo, hi in bounds:
            if lo >= hi:
                raise ValueError("low >= high")
            values.append(lo + self._below(hi - 1 - lo))
        return _wrap(torch.tensor(values, dtype=kind._torch).reshape(low.shape))

    def random_integers(self, low, high=None, size=None):
        return self.randint(1 if high is None else low, (low if high is None else high) + 1, size)

    def bytes(self, length):
        words = [self._generator.getrandbits(32) for _ in range((length + 3) // 4)]
        return b"".join([w.to_bytes(4, "little") for w in words])[:length]

    # Orders and choices

    def shuffle(self, x):
        if isinstance(x, ndarray):
            order = self._order(len(x))
            x[...] = x[_wrap(order)]
            return
        for place, item in enumerate([x[i] for i in self._order(len(x)).tolist()]):
            x[place] = item

    def _order(self, n):
        """The numbers below `n`, shuffled."""
        return _C._twister_order(self._generator, n)

    def permutation(self, x):
        if isinstance(x, int):
            return _wrap(self._order(int(x)))
        t, made = moved(x)
        return made(t[self._order(t.shape[0])])

    def choice(self, a, size=None, replace=True, p=None):
        if isinstance(a, int):
            items, n = None, int(a)
            if n <= 0:
                raise ValueError("a must be greater than 0 unless no samples are taken")
        else:
            items = a if isinstance(a, (list, tuple)) else asarray(a)
            n = len(items)
            if n == 0:
                raise ValueError("'a' cannot be empty unless no samples are taken")
        if p is not None:
            p = _as_tensor(p).to(torch.float64)
            if p.numel() != n:
                raise ValueError("'a' and 'p' must have same size")
            if (p < 0).any():
                raise ValueError("probabilities are not non-negative")
            if abs(p.sum().item() - 1.0) > 1e-8 * 1.5:
                raise ValueError("probabilities do not sum to 1")
        count = 1 if size is None else count_of(extents(size))
        if replace:
            if p is not None:
                at = self._by_weight(p, count)
            else:
                at = self._many_below(n - 1, count)
        else:
            if count > n:
                raise ValueError("Cannot take a larger sample than population when 'replace=False'")
            at = self._distinct(n, count, p)
        at = at.reshape([] if size is None else extents(size))
        if items is None:
            return result(at) if size is not None else at.item()
        items = asarray(items)
        if isinstance(items.dtype, ItemDType):
            return items[at.item()] if size is None else items[_wrap(at)]
        return result(items._t[at])

    def _distinct(self, n, count, p):
        if p is not None:
            return self._distinct_by_weight(p, count)
        return self._order(n)[:count]

    def __getattr__(self, name):
        return _C._missing_name("numpy.random", name)


_shared = RandomState()

beta = _shared.beta
binomial = _shared.binomial
bytes = _shared.bytes
chisquare = _shared.chisquare
choice = _shared.choice
dirichlet = _shared.dirichlet
exponential = _shared.exponential
gamma = _shared.gamma
get_state = _shared.get_state
gumbel = _shared.gumbel
laplace = _shared.laplace
lognormal = _shared.lognormal
multivariate_normal = _shared.multivariate_normal
multinomial = _shared.multinomial
normal = _shared.normal
permutation = _shared.permutation
poisson = _shared.poisson
rand = _shared.rand
randint = _shared.randint
randn = _shared.randn
random = _shared.random
random_integers = _shared.random_integers
random_sample = ranf = sample = _shared.random_sample
seed = _shared.seed
set_state = _shared.set_state
shuffle = _shared.shuffle
standard_exponential = _shared.standard_exponential
standard_gamma = _shared.standard_gamma
standard_normal = _shared.standard_normal
uniform = _shared.uniform
f = _shared.f
geometric = _shared.geometric
logistic = _shared.logistic
negative_binomial = _shared.negative_binomial
pareto = _shared.pareto
power = _shared.power
rayleigh = _shared.rayleigh
standard_cauchy = _shared.standard_cauchy
standard_t = _shared.standard_t
triangular = _shared.triangular
wald = _shared.wald
weibull = _shared.weibull
hypergeometric = _shared.hypergeometric
logseries = _shared.logseries
noncentral_chisquare = _shared.noncentral_chisquare
noncentral_f = _shared.noncentral_f
vonmises = _shared.vonmises
zipf = _shared.zipf


def __getattr__(name):
    return _C._missing_name("numpy.random", name)

"""`default_rng`: PCG64 seeded by a SeedSequence, and the Generator that draws from it.

Sources: O'Neill, PCG (XSL RR 128/64); Lemire, Fast random integer generation in an interval; Marsaglia and Tsang, The
ziggurat method. The draws for a seed are NumPy's.
"""

import math
import random as _random
import torch
from torch import _C

from numpy._array import _as_tensor, _wrap, asarray, ndarray, result
from numpy._ops import _missing, normalized
from numpy._draws import Draws, count_of, extents, swapped
from numpy._multivariate import multivariate_normal
from numpy._dtypes import as_dtype

_32 = 0xFFFFFFFF
_64 = 0xFFFFFFFFFFFFFFFF
_128 = (1 << 128) - 1


class SeedSequence:
    """Spreads the bits of a seed over as many words as a generator wants."""

    def __init__(self, entropy=None, *, spawn_key=(), pool_size=4, n_children_spawned=0):
        if entropy is None:
            entropy = _random.SystemRandom().getrandbits(128)
        self.entropy, self.spawn_key, self.pool_size = entropy, tuple(spawn_key), pool_size
        self.n_children_spawned = n_children_spawned
        words = self._words(entropy)
        if self.spawn_key and len(words) < pool_size:
            words += [0] * (pool_size - len(words))
        for key in self.spawn_key:
            words += self._words(key)
        self._mix(words)

    def _words(self, number):
        """The words of 32 bits of a number, or of several."""
        if not isinstance(number, int):
            return [word for part in _as_tensor(number).reshape(-1).tolist() for word in self._words(part)]
        number = int(number)
        if number < 0:
            raise ValueError("expected non-negative integer")
        words = [number & _32]
        while number > _32:
            number >>= 32
            words.append(number & _32)
        return words

    def _mix(self, words):
        multiplier = 0x43B0D7E5

        def hashed(value):
            nonlocal multiplier
            value ^= multiplier
            multiplier = multiplier * 0x931E8875 & _32
            value = value * multiplier & _32
            return value ^ value >> 16

        def mixed(x, y):
            value = (x * 0xCA01F9DD - y * 0x4973F715) & _32
            return value ^ value >> 16

        size = self.pool_size
        pool = [hashed(words[i] if i < len(words) else 0) for i in range(size)]
        for source in range(size):
            for into in range(size):
                if source != into:
                    pool[into] = mixed(pool[into], hashed(pool[source]))
        for source in range(size, len(words)):
            for into in range(size):
                pool[into] = mixed(pool[into], hashed(words[source]))
        self.pool = pool

    def _state(self, count):
        """So many words of 32 bits."""
        multiplier, found = 0x8B51F9DD, []
        for i in range(count):
            value = self.pool[i % self.pool_size] ^ multiplier
            multiplier = multiplier * 0x58F38DED & _32
            value = value * multiplier & _32
            found.append(value ^ value >> 16)
        return found

    def generate_state(self, n_words, dtype=None):
        if dtype is not None and str(as_dtype(dtype)) != "uint32":
            raise NotImplementedError(
                "numpy.random.SeedSequence.generate_state(): only words of 32 bits are implemented in janus-jit yet"
            )
        return _wrap(torch.tensor(self._state(n_words), dtype=torch.int64))

    def spawn(self, n_children):
        first = self.n_children_spawned
        self.n_children_spawned += n_children
        return [
            SeedSequence(self.entropy, spawn_key=(*self.spawn_key, i), pool_size=self.pool_size)
            for i in range(first, first + n_children)
        ]


class PCG64:
    """128 bits of state, 64 of which come out at a time."""

    def __init__(self, seed=None):
        self.seed_seq = seed if isinstance(seed, SeedSequence) else SeedSequence(seed)
        words = self.seed_seq._state(8)
        longs = [words[i] | words[i + 1] << 32 for i in range(0, 8, 2)]
        self._increment = ((longs[2] << 64 | longs[3]) << 1 | 1) & _128
        self._state = self._increment
        self._state = self._state + (longs[0] << 64 | longs[1]) & _128
        self._step()
        self._half = None

    def _step(self):
        self._state = (self._state * 0x2360ED051FC65DA44385DF649FCCF645 + self._increment) & _128

    def next64(self):
        self._step()
        state = self._state
        turn = state >> 122
        folded = (state >> 64 ^ state) & _64
        return (folded >> turn | folded << (64 - turn)) & _64

    def next32(self):
        if self._half is not None:
            half, self._half = self._half, None
            return half
        both = self.next64()
        self._half = both >> 32
        return both & _32

    def uniform(self):
        return (self.next64() >> 11) * 2.0**-53

    @property
    def state(self):
        return {
            "bit_generator": "PCG64", "state": {"state": self._state, "inc": self._increment},
            "has_uint32": int(self._half is not None), "uinteger": self._half or 0,
        }

    @state.setter
    def state(self, given):
        self._state, self._increment = given["state"]["state"], given["state"]["inc"]
        self._half = given["uinteger"] if given["has_uint32"] else None


# The ziggurat of the normal distribution: 256 layers of one area each, below which 52 bits are a place.
_LAYERS = 256
_TAIL = 3.6541528853610088


def _ziggurat():
    """For each layer: below which number a draw is inside, the width of a unit, and the height."""
    height = math.exp(-0.5 * _TAIL * _TAIL)
    area = _TAIL * height + math.sqrt(math.pi / 2) * math.erfc(_TAIL / math.sqrt(2))
    unit = 2.0**52
    inside, width, top = [0] * _LAYERS, [0.0] * _LAYERS, [0.0] * _LAYERS
    base = area / height
    inside[0], width[0], top[0] = int(_TAIL / base * unit), base / unit, 1.0
    last = _LAYERS - 1
    width[last], top[last] = _TAIL / unit, height
    x = before = _TAIL
    for i in range(last - 1, 0, -1):
        x = math.sqrt(-2.0 * math.log(area / x + math.exp(-0.5 * x * x)))
        inside[i + 1] = int(x / before * unit)
        before = x
        width[i], top[i] = x / unit, math.exp(-0.5 * x * x)
    return inside, width, top


_tables = None


class Generator(Draws):
    """Draws from a bit generator."""

    def __init__(self, bit_generator):
        self.bit_generator = bit_generator
        self._uniform = bit_generator.uniform

    # One at a time

    def _normal(self):
        global _tables
        if _tables is None:
            _tables = _ziggurat()
        inside, width, top = _tables
        while True:
            bits = self.bit_generator.next64()
            layer = bits & 0xFF
            bits >>= 8
            place = bits >> 1 & 0xFFFFFFFFFFFFF
            x = place * width[layer]
            if bits & 1:
                x = -x
            if place < inside[layer]:
                return x
            if layer == 0:
                while True:
                    beyond = -math.log1p(-self._uniform()) / _TAIL
                    y = -math.log1p(-self._uniform())
                    if y + y > beyond * beyond:
                        return -(_TAIL + beyond) if place >> 8 & 1 else _TAIL + beyond
            elif (top[layer - 1] - top[layer]) * self._uniform() + top[layer] < math.exp(-0.5 * x * x):
                return x

    def _below(self, most):
        """An int from 0 to `most`, both included."""
        if most == 0:
            return 0
        bits = 32 if most <= _32 else 64
        draw = self.bit_generator.next32 if bits == 32 else self.bit_generator.next64
        whole = (1 << bits) - 1
        if most == whole:
            return draw()
        count = most + 1
        product = draw() * count
        if product & whole < count:
            least = (whole - most) % count
            while product & whole < least:
                product = draw() * count
        return product >> bits

    def _place(self, most):
        """As `_below`, for orders: bits are drawn again while they are too many."""
        mask = (1 << most.bit_length()) - 1
        value = self.bit_generator.next32() & mask
        while value > most:
            value = self.bit_generator.next32() & mask
        return value

    # Distributions

    def random(self, size=None, dtype=float, out=None):
        return self._of_dtype(Draws.random, size, dtype, out)

    def standard_normal(self, size=None, dtype=float, out=None):
        return self._of_dtype(Draws.standard_normal, size, dtype, out)

    def _of_dtype(self, draws, size, dtype, out):
        if as_dtype(dtype).name != "float64":
            raise _missing("a Generator's draws of float32")
        if out is None:
            return draws(self, size)
        out[...] = draws(self, out.shape)
        return out

    def integers(self, low, high=None, size=None, dtype=int, endpoint=False):
        if high is None:
            low, high = 0, low
        kind = as_dtype(dtype)
        if kind.itemsize < 4:
            raise _missing("a Generator's integers of 8 or 16 bits")
        if not (isinstance(low, (int, float)) and isinstance(high, (int, float))):
            low, high = torch.broadcast_tensors(_as_tensor(low), _as_tensor(high))
            bounds = zip(low.reshape(-1).tolist(), high.reshape(-1).tolist())
            values = [lo + self._below(hi - (0 if endpoint else 1) - lo) for lo, hi in bounds]
            return _wrap(torch.tensor(values, dtype=kind._torch).reshape(low.shape))
        low, high = int(low), int(high) - (0 if endpoint else 1)
        if low > high:
            raise ValueError("low > high" if endpoint else "low >= high")
        if low < kind._low:
            raise ValueError(f"low is out of bounds for {kind.name}")
        if high > kind._high:
            raise ValueError(f"high is out of bounds for {kind.name}")
        if size is None:
            return kind.type(low + self._below(high - low))
        shape = extents(size)
        values = [low + self._below(high - low) for _ in range(count_of(shape))]
        return _wrap(torch.tensor(values, dtype=kind._torch).reshape(shape))

    # Orders and choices

    def _order(self, n):
        return swapped(list(range(n)), self._place)

    def shuffle(self, x, axis=0):
        if isinstance(x, ndarray):
            order = torch.tensor(self._order(x.shape[axis]), dtype=torch.int64)
            x[...] = _wrap(x._t.index_select(axis, order))
            return
        swapped(x, self._place)

    def permutation(self, x, axis=0):
        if isinstance(x, int):
            return _wrap(torch.tensor(self._order(int(x)), dtype=torch.int64))
        t = _as_tensor(x)
        return _wrap(t.index_select(axis, torch.tensor(self._order(t.shape[axis]), dtype=torch.int64)))

    def permuted(self, x, axis=None, out=None):
        t = _as_tensor(x).clone()
        if axis is None:
            made = t.reshape(-1)[torch.tensor(self._order(t.numel()), dtype=torch.int64)].reshape(t.shape)
        else:
            rows = t.movedim(axis, -1)
            flat = rows.reshape(-1, rows.shape[-1])
            orders = torch.tensor([self._order(flat.shape[1]) for _ in range(flat.shape[0])], dtype=torch.int64)
            made = flat.gather(1, orders.reshape(flat.shape)).reshape(rows.shape).movedim(-1, axis)
        if out is None:
            return _wrap(made.contiguous())
        out[...] = _wrap(made)
        return out

    def multivariate_normal(self, mean, cov, size=None, check_valid="warn", tol=1e-8, *, method="svd"):
        return multivariate_normal(self, mean, cov, size, check_valid, tol, method)

    def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
        items = None if isinstance(a, int) else asarray(a)
        axis = axis if items is None else normalized(axis, items.ndim)
        n = int(a) if items is None else items.shape[axis]
        count = 1 if size is None else count_of(extents(size))
        if n == 0 and count:
            raise ValueError("a cannot be empty unless no samples are taken")
        if p is not None:
            p = _as_tensor(p).to(torch.float64)
            if p.numel() != n:
                raise ValueError("a and p must have same size")
            if abs(p.sum().item() - 1.0) > 1.5e-8:
                raise ValueError("probabilities do not sum to 1")
        if replace:
            if p is None:
                at = torch.tensor([self._below(n - 1) for _ in range(count)], dtype=torch.int64)
            else:
                at = self._by_weight(p, count)
        elif p is not None:
            at = self._distinct_by_weight(p, count)
        else:
            if count > n:
                raise ValueError("Cannot take a larger sample than population when replace is False")
            at = torch.tensor(self._distinct(n, count, shuffle), dtype=torch.int64)
        at = at.reshape([] if size is None else extents(size))
        if items is None:
            return at.item() if size is None else _wrap(at)
        return result(items._t.index_select(axis, at.reshape(-1)).reshape(
            [*items._t.shape[:axis], *at.shape, *items._t.shape[axis + 1 :]]
        ))

    def _distinct(self, n, count, shuffle=True):
        if n > 10000 and count > n // 50:
            return swapped(list(range(n)), self._below, max(n - count, 1))[n - count :]
        # Floyd's: each draw that is there already becomes the last number that it could have been.
        found, known = [], set()
        for last in range(n - count, n):
            value = self._below(last)
            value = last if value in known else value
            known.add(value)
            found.append(value)
        return swapped(found, self._below) if shuffle else found

    def spawn(self, n_children):
        return [Generator(PCG64(child)) for child in self.bit_generator.seed_seq.spawn(n_children)]

    def __repr__(self):
        return f"Generator(PCG64) at 0x{id(self):X}"

    def __getattr__(self, name):
        return _C._missing_name("numpy.random", name)


def default_rng(seed=None):
    if isinstance(seed, Generator):
        return seed
    return Generator(seed if isinstance(seed, PCG64) else PCG64(seed))

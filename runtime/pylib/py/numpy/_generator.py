"""`default_rng`: PCG64 seeded by a SeedSequence, and the Generator that draws from it.

The draws for a seed are NumPy's; the bits and what is made of them one by one come from Rust.
"""

import random as _random
import torch
from torch import _C

from numpy._array import _as_tensor, _wrap, asarray, moved, ndarray, result
from numpy import _unsigned
from numpy._ops import _missing, normalized
from numpy._draws import Draws, count_of, extents, swapped
from numpy._multivariate import multivariate_normal
from numpy._dtypes import UINT64, UnsignedDType, as_dtype
from numpy._variates import _NON_NEGATIVE, Variates, _checked

_32 = 0xFFFFFFFF
_64 = 0xFFFFFFFFFFFFFFFF
_128 = (1 << 128) - 1
_MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
# As many draws as a jump skips.
_JUMP = 0x9E3779B97F4A7C15F39CC0605CEDC835


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
        increment = ((longs[2] << 64 | longs[3]) << 1 | 1) & _128
        state = increment + (longs[0] << 64 | longs[1]) & _128
        self._pcg = _C._pcg_new((state * _MULTIPLIER + increment) & _128, increment, None)


    def random_raw(self, size=None, output=True):
        if size is None:
            return _C._pcg_below(self._pcg, _64)
        shape = extents(size)
        drawn = _C._pcg_integers(self._pcg, 0, _64, 64, count_of(shape))
        return _unsigned.made(drawn.reshape(shape), UINT64) if output else None

    def advance(self, delta):
        """Goes on as after so many draws of 64 bits, backwards too."""
        state, increment, _ = _C._pcg_state(self._pcg)
        delta = int(delta) & _128
        factor, added, whole, sum_ = _MULTIPLIER, increment, 1, 0
        while delta:
            if delta & 1:
                whole, sum_ = whole * factor & _128, (sum_ * factor + added) & _128
            factor, added, delta = factor * factor & _128, (factor + 1) * added & _128, delta >> 1
        self._pcg = _C._pcg_new((whole * state + sum_) & _128, increment, None)
        return self

    def jumped(self, jumps=1):
        made = PCG64.__new__(PCG64)
        made.seed_seq, made._pcg = self.seed_seq, _C._pcg_new(*_C._pcg_state(self._pcg))
        return made.advance(_JUMP * jumps)

    def spawn(self, n_children):
        return [PCG64(child) for child in self.seed_seq.spawn(n_children)]

    def __getstate__(self):
        return self.seed_seq, self.state

    def __setstate__(self, given):
        self.seed_seq, self.state = given

    @property
    def state(self):
        state, increment, half = _C._pcg_state(self._pcg)
        return {
            "bit_generator": "PCG64", "state": {"state": state, "inc": increment},
            "has_uint32": int(half is not None), "uinteger": half or 0,
        }

    @state.setter
    def state(self, given):
        if not isinstance(given, dict):
            raise TypeError("state must be a dict")
        if given.get("bit_generator") != "PCG64":
            raise ValueError("state must be for a PCG64 RNG")
        half = given["uinteger"] if given["has_uint32"] else None
        self._pcg = _C._pcg_new(given["state"]["state"], given["state"]["inc"], half)


class Generator(Variates, Draws):
    """Draws from a bit generator."""

    def __init__(self, bit_generator):
        if not isinstance(bit_generator, PCG64):
            raise _missing("a Generator over another bit generator than PCG64")
        self.bit_generator = bit_generator

    @property
    def _pcg(self):
        return self.bit_generator._pcg

    def _uniforms(self, count):
        return _C._pcg_draw(self._pcg, "random", count)

    def _below(self, most):
        """An int from 0 to `most`, both included."""
        return _C._pcg_below(self._pcg, most)

    def _place(self, most):
        """As `_below`, for orders: bits are drawn again while they are too many."""
        return _C._pcg_masked(self._pcg, most)

    # Distributions

    def random(self, size=None, dtype=float, out=None):
        if size is None and dtype is float and out is None:
            return _C._pcg_draw(self.bit_generator._pcg, "random", None)
        return self._of_dtype("random", size, dtype, out)

    def standard_normal(self, size=None, dtype=float, out=None):
        if size is None and dtype is float and out is None:
            return _C._pcg_draw(self.bit_generator._pcg, "standard_normal", None)
        return self._of_dtype("standard_normal", size, dtype, out)

    def _of_dtype(self, name, size, dtype, out, *parameters):
        kind = as_dtype(dtype).name
        if kind not in ("float64", "float32"):
            raise TypeError(f"Unsupported dtype {as_dtype(dtype)!r} for {name.replace('inverted', 'standard')}")
        if out is not None:
            if out.dtype.name != kind:
                raise TypeError(
                    f"Supplied output array has the wrong type. Expected {kind}, got {out.dtype.name}"
                )
            if size is not None and tuple(extents(size)) != out.shape:
                raise ValueError("size must match out.shape when used together")
            size = out.shape
        shape = [] if size is None else extents(size)
        given = [p if isinstance(p, float) else p.expand(shape).reshape(-1).contiguous() for p in parameters]
        if kind == "float64":
            drawn = _C._pcg_draw(self._pcg, name, count_of(shape), *given)
        else:
            drawn = _C._pcg_draw32(self._pcg, name, count_of(shape), *(given or [0.0]))
        if out is not None:
            out[...] = _wrap(drawn.reshape(shape))
            return out
        if size is None:
            return drawn.item()
        return _wrap(drawn.reshape(shape))

    def integers(self, low, high=None, size=None, dtype=int, endpoint=False):
        if high is None:
            low, high = 0, low
        kind = as_dtype(dtype)
        if kind.kind not in "biu":
            raise TypeError(f"Unsupported dtype {kind!r} for integers")
        bits = 1 if kind.kind == "b" else 8 * kind.itemsize
        least, largest = (0, 1) if bits == 1 else (kind._low, kind._high)
        if not (isinstance(low, (int, float)) and isinstance(high, (int, float))):
            return self._integers_between(low, high, size, kind, least, largest, endpoint)
        low, high = int(low), int(high) - (0 if endpoint else 1)
        # In the order in which NumPy looks.
        if low < least:
            raise ValueError(f"low is out of bounds for {kind.name}")
        if high > largest:
            raise ValueError(f"high is out of bounds for {kind.name}")
        if low > high:
            raise ValueError("low > high" if endpoint else "high <= 0" if low == 0 else "low >= high")
        shape = [] if size is None else extents(size)
        drawn = _C._pcg_integers(self._pcg, low, high - low, bits, count_of(shape))
        if size is None:
            value = drawn.item()
            value = value & _64 if value < least else value
            return bool(value) if dtype is bool else kind.type(value)
        return self._narrowed(drawn, kind, shape)

    def _narrowed(self, drawn, kind, shape):
        """An array of a dtype, of ints of 64 bits."""
        drawn = drawn.reshape(shape)
        return _unsigned.made(drawn, kind) if isinstance(kind, UnsignedDType) else _wrap(drawn.to(kind._torch))

    def _integers_between(self, low, high, size, kind, least, largest, endpoint):
        low, high = torch.broadcast_tensors(_as_tensor(low), _as_tensor(high))
        shape = list(low.shape) if size is None else extents(size)
        high = high.double().ceil().long() if high.is_floating_point() else high
        low, high = low.expand(shape), (high if endpoint else high - 1).expand(shape)
        if bool((low < least).any()):
            raise ValueError(f"low is out of bounds for {kind.name}")
        if bool((high > largest).any()):
            raise ValueError(f"high is out of bounds for {kind.name}")
        if bool((low > high).any()):
            raise ValueError("low > high" if endpoint else "low >= high")
        bounds = zip(low.reshape(-1).tolist(), high.reshape(-1).tolist())
        drawn = torch.tensor([lo + self._below(hi - lo) for lo, hi in bounds], dtype=torch.int64)
        return self._narrowed(drawn, kind, shape)

    def bytes(self, length):
        words = _C._pcg_integers(self._pcg, 0, _32, 32, (length - 1) // 4 + 1 if length else 0).tolist()
        return b"".join([word.to_bytes(4, "little") for word in words])[:length]

    # Orders and choices

    def _order(self, n):
        return _C._pcg_order(self._pcg, n, 1, True)

    def shuffle(self, x, axis=0):
        if isinstance(x, ndarray):
            axis = normalized(axis, x.ndim)
            x[...] = x._remade(x._t.index_select(axis, self._order(x.shape[axis])))
            return
        swapped(x, self._place)

    def permutation(self, x, axis=0):
        if isinstance(x, int):
            return _wrap(self._order(int(x)))
        t, made = moved(x)
        return made(t.index_select(axis, self._order(t.shape[axis])))

    def permuted(self, x, axis=None, out=None):
        t, array_of = moved(x)
        if axis is None:
            made = t.reshape(-1)[self._order(t.numel())].reshape(t.shape)
        else:
            rows = t.movedim(axis, -1)
            flat = rows.reshape(-1, rows.shape[-1])
            orders = [self._order(flat.shape[1]) for _ in range(flat.shape[0])]
            orders = torch.stack(orders) if orders else torch.empty(0, dtype=torch.int64)
            made = flat.gather(1, orders.reshape(flat.shape)).reshape(rows.shape).movedim(-1, axis)
        if out is None:
            return array_of(made.contiguous())
        out[...] = array_of(made)
        return out

    def multivariate_normal(self, mean, cov, size=None, check_valid="warn", tol=1e-8, *, method="svd"):
        return multivariate_normal(self, mean, cov, size, check_valid, tol, method)

    def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
        items = None if isinstance(a, int) else asarray(a)
        if items is not None and items.ndim == 0:
            raise ValueError(f"a must be a sequence or an integer, not {type(a)}")
        axis = axis if items is None else normalized(axis, items.ndim)
        n = int(a) if items is None else items.shape[axis]
        count = 1 if size is None else count_of(extents(size))
        if n == 0 and count:
            wanted = "must be a positive integer" if items is None else "cannot be empty"
            raise ValueError(f"a {wanted} unless no samples are taken")
        if p is not None:
            p = _as_tensor(p).to(torch.float64)
            if p.numel() != n:
                raise ValueError("a and p must have same size")
            if bool(p.isnan().any()):
                raise ValueError("Probabilities contain NaN")
            if bool((p < 0).any()):
                raise ValueError("Probabilities are not non-negative")
            if abs(p.sum().item() - 1.0) > 1.5e-8:
                raise ValueError(
                    "Probabilities do not sum to 1. See Notes section of docstring for more information."
                )
        if replace:
            if p is None:
                at = _C._pcg_integers(self._pcg, 0, n - 1, 64, count)
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
        chosen = items._t.index_select(axis, at.reshape(-1))
        chosen = chosen.reshape([*items._t.shape[:axis], *at.shape, *items._t.shape[axis + 1 :]])
        if type(items) is ndarray:
            return result(chosen)
        made = items._remade(chosen)
        return made if chosen.dim() else made[()]

    def _distinct(self, n, count, shuffle=True):
        if n > 10000 and count > n // (50 if shuffle else 20):
            return _C._pcg_order(self._pcg, n, max(n - count, 1), False)[n - count :].tolist()
        # Floyd's: each draw that is there already becomes the last number that it could have been.
        found, known = [], set()
        for last in range(n - count, n):
            value = self._below(last)
            value = last if value in known else value
            known.add(value)
            found.append(value)
        return swapped(found, self._below) if shuffle else found

    def normal(self, loc=0.0, scale=1.0, size=None):
        _checked("scale", scale, _NON_NEGATIVE)
        return self._scaled(self.standard_normal, size, (loc, scale), lambda z, loc, scale: z * scale + loc)

    def lognormal(self, mean=0.0, sigma=1.0, size=None):
        _checked("sigma", sigma, _NON_NEGATIVE)
        return super().lognormal(mean, sigma, size)

    def uniform(self, low=0.0, high=1.0, size=None):
        width = high - low if isinstance(low, (int, float)) else asarray(high) - asarray(low)
        _checked("high - low", width, _NON_NEGATIVE)
        return self._scaled(self.random, size, (low, width), lambda u, low, width: u * width + low)

    def spawn(self, n_children):
        return [Generator(PCG64(child)) for child in self.bit_generator.seed_seq.spawn(n_children)]

    def __repr__(self):
        return f"Generator(PCG64) at 0x{id(self):X}"

    def __str__(self):
        return "Generator(PCG64)"

    def __getattr__(self, name):
        return _C._missing_name("numpy.random", name)


def default_rng(seed=None):
    if isinstance(seed, Generator):
        return seed
    return Generator(seed if isinstance(seed, PCG64) else PCG64(seed))

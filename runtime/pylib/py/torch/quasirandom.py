"""torch.quasirandom: points of Sobol's sequence, as they are or scrambled."""

import torch
from torch import _C

_directions = []


def _all_directions():
    """The known direction numbers, read when they are first asked for."""
    if not _directions:
        from torch._sobol_directions import TEXT

        for part in TEXT.split(";"):
            numbers = [int(n) for n in part.split()]
            if numbers:
                _directions.append((numbers[0], numbers[1:]))
    return _directions


class SobolEngine:
    MAXBIT = 30
    MAXDIM = 21201

    def __init__(self, dimension, scramble=False, seed=None):
        if dimension > self.MAXDIM or dimension < 1:
            raise ValueError(
                f"Supported range of dimensionality for SobolEngine is [1, {self.MAXDIM}]"
            )
        if dimension > len(_all_directions()) + 1:
            raise NotImplementedError(
                f"torch.quasirandom.SobolEngine of more than {len(_directions) + 1} dimensions is not implemented in janus-jit yet"
            )
        self.seed = seed
        self.scramble = scramble
        self.dimension = dimension
        self.sobolstate = torch.tensor([self._numbers(d) for d in range(dimension)], dtype=torch.long)
        if scramble:
            self._scramble()
        else:
            self.shift = torch.zeros(dimension, dtype=torch.long)
        self.quasi = self.shift.clone()
        self._first_point = (self.quasi / 2**self.MAXBIT).reshape(1, -1)
        self.num_generated = 0

    def _numbers(self, d):
        """The direction numbers of one dimension, moved to the highest bit."""
        bits = self.MAXBIT
        if d == 0:
            return [1 << (bits - 1 - j) for j in range(bits)]
        inner, first = _directions[d - 1]
        degree = len(first)
        numbers = list(first)
        for j in range(degree, bits):
            n = numbers[j - degree]
            n ^= n << degree
            for k in range(1, degree):
                if inner >> (degree - 1 - k) & 1:
                    n ^= numbers[j - k] << k
            numbers.append(n)
        return [n << (bits - 1 - j) for j, n in enumerate(numbers[:bits])]

    def _after(self, start, count):
        """The states from behind number `start` on: each is the one before it with one direction number more or less."""
        at = torch.arange(start + 1, start + count + 1)
        changed = (at ^ (at >> 1)) ^ (start ^ (start >> 1))
        states = self.quasi.repeat(count, 1)
        for bit in range(self.MAXBIT):
            states = states ^ (((changed >> bit) & 1).unsqueeze(1) * self.sobolstate[:, bit])
        return states

    def draw(self, n=1, out=None, dtype=None):
        if dtype is None:
            dtype = torch.get_default_dtype()
        if self.num_generated == 0 and n == 1:
            result = self._first_point.to(dtype)
        else:
            is_first = self.num_generated == 0
            states = self._after(max(self.num_generated - 1, 0), n - 1 if is_first else n)
            if len(states):
                self.quasi.copy_(states[-1])
            result = states.to(dtype) * (1.0 / 2**self.MAXBIT)
            if is_first:
                result = torch.cat((self._first_point.to(dtype), result), dim=-2)
        self.num_generated += n
        if out is not None:
            out.resize_as_(result).copy_(result)
            return out
        return result

    def draw_base2(self, m, out=None, dtype=None):
        n = 2**m
        total_n = self.num_generated + n
        if total_n & (total_n - 1) != 0:
            raise ValueError(
                "The balance properties of Sobol' points require "
                f"n to be a power of 2. {self.num_generated} points have been "
                f"previously generated, then: n={self.num_generated}+2**{m}={total_n}. "
                "If you still want to do this, please use "
                "'SobolEngine.draw()' instead."
            )
        return self.draw(n=n, out=out, dtype=dtype)

    def reset(self):
        self.quasi.copy_(self.shift)
        self.num_generated = 0
        return self

    def fast_forward(self, n):
        is_first = self.num_generated == 0
        states = self._after(max(self.num_generated - 1, 0), n - 1 if is_first else n)
        if len(states):
            self.quasi.copy_(states[-1])
        self.num_generated += n
        return self

    def _scramble(self):
        g = None
        if self.seed is not None:
            g = torch.Generator()
            g.manual_seed(self.seed)
        bits = self.MAXBIT
        shifts = torch.randint(2, (self.dimension, bits), generator=g)
        self.shift = (shifts * torch.pow(2, torch.arange(0, bits))).sum(1)
        lower = torch.randint(2, (self.dimension, bits, bits), generator=g).tril()
        lower.diagonal(0, -2, -1).fill_(1)
        # Bits from the highest one on, as the columns of the matrices are; sums of at most 30 ones are exact.
        places = torch.arange(bits - 1, -1, -1)
        state = ((self.sobolstate.unsqueeze(-1) >> places) & 1).double()
        turned = torch.einsum("dpk,djk->djp", lower.double(), state).long() % 2
        self.sobolstate = (turned << places).sum(-1)

    def __repr__(self):
        parts = [f"dimension={self.dimension}"]
        if self.scramble:
            parts += ["scramble=True"]
        if self.seed is not None:
            parts += [f"seed={self.seed}"]
        return self.__class__.__name__ + "(" + ", ".join(parts) + ")"


def __getattr__(name):
    return _C._missing_name("torch.quasirandom", name)

"""What the generators of random arrays share: everything that comes from uniform and normal draws one by one."""

import torch

from numpy._array import _as_tensor, _wrap, asarray
from numpy._creation import _extents
from numpy._shapes import broadcast_shapes


def extents(size):
    """A shape as a list."""
    return _extents(size)


def count_of(shape):
    n = 1
    for extent in shape:
        n *= extent
    return n


def common_shape(size, shapes):
    """The shape of draws whose parameters have these shapes."""
    if size is None:
        return list(broadcast_shapes(*shapes))
    shape = tuple(extents(size))
    together = broadcast_shapes(shape, *shapes)
    if together != shape:
        raise ValueError(f"Output size {shape} is not compatible with broadcast dimensions of inputs {together}.")
    return list(shape)


def swapped(x, draw, first=1):
    """A list whose places from `first` on are shuffled in place, from the end: `draw(i)` is a place up to `i`."""
    for i in reversed(range(first, len(x))):
        j = draw(i)
        x[i], x[j] = x[j], x[i]
    return x


def _any_below_zero(parameter):
    if isinstance(parameter, (int, float)):
        return parameter < 0
    return (_as_tensor(parameter) < 0).any()


class Draws:
    """Of `_uniform` and `_normal`, which subclasses have, and `_uniforms` and `_normals`, which draw many at a time."""

    def _uniforms(self, count):
        return torch.tensor([self._uniform() for _ in range(count)], dtype=torch.float64)

    def _normals(self, count):
        return torch.tensor([self._normal() for _ in range(count)], dtype=torch.float64)

    def _filled(self, draw, size):
        """One number, or an array of them."""
        if size is None:
            return draw()
        shape = extents(size)
        return _wrap(torch.tensor([draw() for _ in range(count_of(shape))], dtype=torch.float64).reshape(shape))

    def _scaled(self, draws, size, parameters, scaled):
        """What `draws(size)` gives, scaled by parameters that may be arrays."""
        if all(isinstance(p, (int, float)) for p in parameters):
            return scaled(draws(size), *parameters)
        arrays = [asarray(p)._t for p in parameters]
        size = tuple(common_shape(size, [t.shape for t in arrays]))
        return scaled(draws(size), *[_wrap(t) for t in arrays])

    def random(self, size=None):
        if size is None:
            return self._uniform()
        shape = extents(size)
        return _wrap(self._uniforms(count_of(shape)).reshape(shape))

    def standard_normal(self, size=None):
        if size is None:
            return self._normal()
        shape = extents(size)
        return _wrap(self._normals(count_of(shape)).reshape(shape))

    def normal(self, loc=0.0, scale=1.0, size=None):
        if _any_below_zero(scale):
            raise ValueError("scale < 0")
        return self._scaled(self.standard_normal, size, (loc, scale), lambda z, loc, scale: z * scale + loc)

    def lognormal(self, mean=0.0, sigma=1.0, size=None):
        z = _as_tensor(self.normal(mean, sigma, size)).exp()
        return z.item() if z.dim() == 0 else _wrap(z)

    def uniform(self, low=0.0, high=1.0, size=None):
        return self._scaled(self.random, size, (low, high), lambda u, low, high: u * (high - low) + low)

    def _by_weight(self, p, count):
        """Places of a distribution."""
        cdf = p.cumsum(0)
        return torch.searchsorted(cdf / cdf[-1], self._uniforms(count), right=True)

    def _distinct_by_weight(self, p, count):
        """The same without replacement: what has come leaves, and what is missing is drawn again."""
        if (p > 0).sum().item() < count:
            raise ValueError("Fewer non-zero entries in p than size")
        p, found = p.clone(), []
        while len(found) < count:
            p[found] = 0
            for i in self._by_weight(p, count - len(found)).tolist():
                if i not in found:
                    found.append(i)
        return torch.tensor(found, dtype=torch.int64)

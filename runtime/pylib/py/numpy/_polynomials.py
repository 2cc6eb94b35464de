"""Polynomials as arrays of coefficients, the highest power first: `np.polyfit` and its like, `np.poly1d`."""

import torch

from numpy import linalg
from numpy._array import _as_tensor, _wrap, array, asarray
from numpy._creation import zeros
from numpy._dtypes import finfo, float64
from numpy._functions import convolve, vander
from numpy._ops import _floats
from numpy._shapes import atleast_1d, concatenate


class RankWarning(RuntimeWarning):
    """A fit for which there are too few points."""

    __module__ = "numpy.exceptions"


def _coefficients(p):
    """The array of a polynomial, and whether it was an object."""
    if isinstance(p, poly1d):
        return p.coeffs, True
    return atleast_1d(asarray(p)), False


def _as_given(coefficients, is_object):
    return poly1d(coefficients) if is_object else coefficients


def poly(seq_of_zeros):
    """The coefficients of the polynomial with these zeros, or of a square matrix's characteristic one."""
    zeros_ = atleast_1d(asarray(seq_of_zeros))
    if zeros_.ndim == 2 and zeros_.shape[0] == zeros_.shape[1] != 0:
        zeros_ = linalg.eigvals(zeros_)
    elif zeros_.ndim != 1:
        raise ValueError("input must be 1d or non-empty square 2d array.")
    t = _floats(zeros_._t)
    if t.numel() == 0:
        return 1.0
    a = torch.ones(1, dtype=t.dtype)
    for zero in t:
        a = convolve(_wrap(a), _wrap(torch.stack([torch.ones_like(zero), -zero])))._t
    if a.is_complex():
        key = lambda z: (z.real, z.imag)
        with_, without = t.tolist(), t.conj().tolist()
        if sorted(with_, key=key) == sorted(without, key=key):
            a = a.real.clone()
    return _wrap(a)


def roots(p):
    t = _as_tensor(p)
    if t.dim() > 1:
        raise ValueError("Input must be a rank-1 array.")
    t = t.reshape(-1)
    places = t.nonzero().reshape(-1)
    if not places.numel():
        return array([])
    trailing = t.numel() - int(places[-1]) - 1
    t = _floats(t[int(places[0]) : int(places[-1]) + 1])
    n = t.numel()
    found = _wrap(torch.empty(0, dtype=t.dtype))
    if n > 1:
        companion = torch.diag(torch.ones(n - 2, dtype=t.dtype), -1)
        companion[0, :] = -t[1:] / t[0]
        found = linalg.eigvals(_wrap(companion))
    return concatenate((found, zeros(trailing, dtype=found.dtype))) if trailing else found


def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    order = int(deg) + 1
    x, y = _floats(_as_tensor(x)), _floats(_as_tensor(y))
    if deg < 0:
        raise ValueError("expected deg >= 0")
    if x.dim() != 1:
        raise TypeError("expected 1D vector for x")
    if x.numel() == 0:
        raise TypeError("expected non-empty vector for x")
    if y.dim() not in (1, 2):
        raise TypeError("expected 1D or 2D array for y")
    if x.shape[0] != y.shape[0]:
        raise TypeError("expected x and y to have same length")
    if rcond is None:
        rcond = float64(x.numel() * float(finfo(asarray(_wrap(x)).dtype).eps))
    left, right = vander(_wrap(x), order)._t, y
    if w is not None:
        weights = _floats(_as_tensor(w))
        if weights.dim() != 1:
            raise TypeError("expected a 1-d array for weights")
        if weights.shape[0] != y.shape[0]:
            raise TypeError("expected w and y to have the same length")
        left = left * weights.unsqueeze(1)
        right = right * (weights.unsqueeze(1) if right.dim() == 2 else weights)
    scale = (left * left).sum(0).sqrt()
    left = left / scale
    c, resids, rank, s = linalg.lstsq(_wrap(left), _wrap(right), rcond)
    c = _wrap((c._t.transpose(0, -1) / scale).transpose(0, -1))
    if rank != order and not full:
        import warnings

        warnings.warn("Polyfit may be poorly conditioned", RankWarning, stacklevel=2)
    if full:
        return c, resids, rank, s, rcond
    if not cov:
        return c
    base = torch.linalg.inv(left.mT @ left) / torch.outer(scale, scale)
    factor = 1
    if cov != "unscaled":
        if x.numel() <= order:
            raise ValueError("the number of data points must exceed order to scale the covariance matrix")
        factor = _floats(resids._t) / (x.numel() - order)
    if y.dim() == 1:
        return c, _wrap(base * factor)
    return c, _wrap(base.unsqueeze(-1) * factor)


def polyadd(a1, a2):
    return _sum(a1, a2, 1)


def polysub(a1, a2):
    return _sum(a1, a2, -1)


def _sum(a1, a2, sign):
    (a, of_a), (b, of_b) = _coefficients(a1), _coefficients(a2)
    n = max(len(a), len(b))
    a = concatenate((zeros(n - len(a), dtype=a.dtype), a))
    b = concatenate((zeros(n - len(b), dtype=b.dtype), b))
    return _as_given(a + b if sign > 0 else a - b, of_a or of_b)


def polymul(a1, a2):
    (a, of_a), (b, of_b) = _coefficients(a1), _coefficients(a2)
    return _as_given(convolve(a, b), of_a or of_b)


def polydiv(u, v):
    (a, of_a), (b, of_b) = _coefficients(u), _coefficients(v)
    rest, divisor = _floats(_as_tensor(a)).clone(), _floats(_as_tensor(b))
    m, n = rest.numel() - 1, divisor.numel() - 1
    quotient = torch.zeros(max(m - n + 1, 1), dtype=rest.dtype)
    for k in range(m - n + 1):
        d = rest[k] / divisor[0]
        quotient[k] = d
        rest[k : k + n + 1] -= d * divisor
    while rest.numel() > 1 and abs(rest[0].item()) <= 1e-14:
        rest = rest[1:]
    return _as_given(_wrap(quotient), of_a or of_b), _as_given(_wrap(rest), of_a or of_b)


def polyder(p, m=1):
    m = int(m)
    if m < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    a, is_object = _coefficients(p)
    for _ in range(m):
        n = len(a) - 1
        a = _wrap(a._t[:-1] * torch.arange(n, 0, -1, dtype=a._t.dtype))
    return _as_given(a, is_object)


def polyint(p, m=1, k=None):
    m = int(m)
    if m < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    constants = [0] * m if k is None else list(atleast_1d(asarray(k)))
    if len(constants) == 1 and m > 1:
        constants = constants * m
    if len(constants) < m:
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or >m.")
    a, is_object = _coefficients(p)
    for constant in constants[:m]:
        t = _floats(a._t)
        t = t / torch.arange(len(a), 0, -1, dtype=t.dtype)
        a = _wrap(torch.cat([t, torch.tensor([constant], dtype=t.dtype)]))
    return _as_given(a, is_object)


def _number_text(q):
    def text(x):
        return f"{x:.4g}"

    if not isinstance(q, complex) or q.imag == 0:
        return text(q.real)
    return f"{text(q.imag)}j" if q.real == 0 else f"({text(q.real)} + {text(q.imag)}j)"


def _two_lines(line, width=70):
    """Powers stand a line above, each one behind the last sign of its term."""
    found, over, under = " ", "", ""
    n = 0
    while (at := line.find("**", n)) >= 0:
        stop = at + 2
        while stop < len(line) and line[stop].isdigit():
            stop += 1
        power, part = line[at + 2 : stop], line[n:at]
        part_over, part_under = " " * (len(part) - 1) + power, part + " " * (len(power) - 1)
        if len(over) + len(part_over) > width or len(under) + len(part_under) > width:
            found += over + "\n" + under + "\n "
            over, under = part_over, part_under
        else:
            over, under = over + part_over, under + part_under
        n = stop
    return found + over + "\n" + under + line[n:]


class poly1d:
    """A polynomial: `p(2)`, `p * q`, `p.roots`."""

    __hash__ = None

    def __init__(self, c_or_r, r=False, variable=None):
        if isinstance(c_or_r, poly1d):
            self._variable, self._coeffs = c_or_r._variable, c_or_r._coeffs.copy()
            if variable is not None:
                self._variable = variable
            return
        if r:
            c_or_r = poly(c_or_r)
        c = atleast_1d(asarray(c_or_r))
        if c.ndim > 1:
            raise ValueError("Polynomial must be 1d only.")
        places = c._t.nonzero().reshape(-1)
        c = _wrap(c._t[int(places[0]):].clone()) if places.numel() else zeros(1, dtype=c.dtype)
        self._coeffs, self._variable = c, "x" if variable is None else variable

    @property
    def coeffs(self):
        return self._coeffs

    c = coef = coefficients = coeffs

    @property
    def variable(self):
        return self._variable

    @property
    def order(self):
        return len(self._coeffs) - 1

    o = order

    @property
    def roots(self):
        return roots(self._coeffs)

    r = roots

    def __array__(self, dtype=None, copy=None):
        return array(self._coeffs, dtype=dtype, copy=copy)

    def __repr__(self):
        return f"poly1d({repr(self._coeffs)[6:-1]})"

    def __len__(self):
        return self.order

    def __str__(self):
        variable, terms = self._variable, []
        coefficients = self._coeffs.tolist()
        for power, c in zip(reversed(range(len(coefficients))), coefficients):
            text = _number_text(c)
            if text == "0" and len(coefficients) > 1:
                continue
            terms.append(text + (f" {variable}**{power}" if power > 1 else f" {variable}" if power else ""))
        line = terms[0]
        for term in terms[1:]:
            line += f" - {term[1:]}" if term.startswith("-") else f" + {term}"
        return _two_lines(line)

    def __call__(self, val):
        return _at(self._coeffs, val)

    def __neg__(self):
        return poly1d(-self._coeffs)

    def __pos__(self):
        return self

    def __mul__(self, other):
        if isinstance(other, (int, float, complex)):
            return poly1d(self._coeffs * other)
        return poly1d(polymul(self._coeffs, _coefficients(other)[0]))

    __rmul__ = __mul__

    def __add__(self, other):
        return poly1d(polyadd(self._coeffs, _coefficients(other)[0]))

    __radd__ = __add__

    def __sub__(self, other):
        return poly1d(polysub(self._coeffs, _coefficients(other)[0]))

    def __rsub__(self, other):
        return poly1d(polysub(_coefficients(other)[0], self._coeffs))

    def __pow__(self, val):
        if not isinstance(val, int) or val < 0:
            raise ValueError("Power to non-negative integers only.")
        found = array([1])
        for _ in range(val):
            found = polymul(self._coeffs, found)
        return poly1d(found)

    def __truediv__(self, other):
        if isinstance(other, (int, float, complex)):
            return poly1d(self._coeffs / other)
        return polydiv(self, other)

    def __rtruediv__(self, other):
        if isinstance(other, (int, float, complex)):
            return poly1d(other / self._coeffs)
        return polydiv(poly1d(other), self)

    def __eq__(self, other):
        if not isinstance(other, poly1d):
            return NotImplemented
        if self._coeffs.shape != other._coeffs.shape:
            return False
        return bool((self._coeffs == other._coeffs).all())

    def __ne__(self, other):
        same = self.__eq__(other)
        return same if same is NotImplemented else not same

    def __getitem__(self, val):
        if not 0 <= val <= self.order:
            return self._coeffs.dtype.type(0)
        return self._coeffs[self.order - val]

    def __setitem__(self, key, val):
        if key < 0:
            raise ValueError("Does not support negative powers.")
        at = self.order - key
        if at < 0:
            self._coeffs = concatenate((zeros(-at, dtype=self._coeffs.dtype), self._coeffs))
            at = 0
        self._coeffs[at] = val

    def __iter__(self):
        return iter(self._coeffs)

    def deriv(self, m=1):
        return poly1d(polyder(self._coeffs, m))

    def integ(self, m=1, k=0):
        return poly1d(polyint(self._coeffs, m, k))


def _at(coefficients, x):
    if isinstance(x, poly1d):
        found = poly1d(0)
        for c in coefficients:
            found = found * x + float(c)
        return found
    y = 0
    x = x if isinstance(x, (int, float, complex)) else asarray(x)
    for c in coefficients:
        y = y * x + c
    return y

"""Arrays of the unsigned ints that tensors cannot have: they are read, sliced, compared, written and converted, which
is what files of tokens and of images need; they are not computed with.
"""

from _refused import refused
import torch
from torch import _C

from numpy._array import Operand, _as_tensor, _wrap, binary, ndarray
from numpy._ops import _missing

_COMPARISONS = ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal")


def made(t, dtype):
    """An array of a dtype out of a tensor of ints."""
    a = object.__new__(unsigned)
    a._t = t.to(torch.int64) & dtype._high if dtype.itemsize < 8 else t.to(torch.int64)
    a._copied = False
    a._raw = dtype
    return a


class unsigned(ndarray):
    """Its tensor has the values as int64."""

    __slots__ = ("_raw",)

    @property
    def dtype(self):
        return self._raw

    @property
    def itemsize(self):
        return self._raw.itemsize

    @property
    def nbytes(self):
        return self.size * self._raw.itemsize

    def _like(self, t):
        return made(t, self._raw)

    @property
    def T(self):
        return self._like(super().T._t)

    def __iter__(self):
        for i in range(len(self)):
            yield self[i]

    def __getitem__(self, key):
        found = super().__getitem__(key)
        return self._like(found._t) if isinstance(found, ndarray) else self._raw.type(int(found))

    def __setitem__(self, key, value):
        values = value._t if isinstance(value, ndarray) else _as_tensor(value)
        if values.numel() and not 0 <= values.min().item() <= values.max().item() <= self._raw._high:
            if not isinstance(value, ndarray):
                raise OverflowError(f"Python integer {values.max().item()} out of bounds for {self._raw.name}")
            values = values.to(torch.int64) & self._raw._high
        super().__setitem__(key, _wrap(values.to(torch.int64)))

    def _with(self, name, other, reflected=False):
        if name not in _COMPARISONS or not isinstance(other, (Operand, unsigned)):
            raise _missing(f"{name} of an array of {self._raw.name}, which astype() converts,")
        other = _wrap(other._t) if isinstance(other, unsigned) else other
        return binary(name, _wrap(self._t), other)

    def _in_place(self, name, other):
        return self._with(name, other)

    def max(self, axis=None, **options):
        return self._kept(_wrap(self._t).max(axis, **options))

    def min(self, axis=None, **options):
        return self._kept(_wrap(self._t).min(axis, **options))

    def _kept(self, found):
        return self._like(found._t) if isinstance(found, ndarray) else self._raw.type(int(found))

    def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
        if order == "F":
            raise refused("numpy.unsigned.astype", "order")
        if casting != "unsafe":
            raise refused("numpy.unsigned.astype", "casting")
        if not subok:
            raise refused("numpy.unsigned.astype", "subok")
        if not copy:
            raise refused("numpy.unsigned.astype", "copy")
        return _wrap(self._t.clone()).astype(dtype)

    def copy(self, order="C"):
        if order == "F":
            raise refused("numpy.unsigned.copy", "order")
        return self._like(self._t.clone())

    def tobytes(self, order="C"):
        if order == "F":
            raise refused("numpy.unsigned.tobytes", "order")
        return bytes_of(self._t, self._raw)


def bytes_of(t, dtype):
    size = dtype.itemsize
    whole = _C._tensor_bytes(t.to(torch.int64))
    if size == 8:
        return whole
    parts = _C._tensor_of_bytes(whole, torch.uint8).reshape(-1, 8)[:, :size]
    return _C._tensor_bytes(parts.contiguous())


def of_bytes(data, dtype):
    """The array that bytes are."""
    size = dtype.itemsize
    signed = {2: torch.int16, 4: torch.int32, 8: torch.int64}[size]
    return made(_C._tensor_of_bytes(data, signed), dtype)

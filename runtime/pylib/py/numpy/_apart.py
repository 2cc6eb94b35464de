"""Arrays whose dtype is none that tensors have: what they share. Their elements lie as each of them says."""

from numpy._array import ndarray


class Apart(ndarray):
    """An array with a dtype of its own, in `_raw`."""

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

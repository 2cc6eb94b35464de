"""What pickles of arrays and scalars call."""

from numpy._array import ndarray
from numpy._io import frombuffer


def _reconstruct(kind, shape, typecode):
    """An array without items: its state follows."""
    return ndarray((0,), "uint8")


def scalar(dtype, data):
    return frombuffer(data, dtype)[0]

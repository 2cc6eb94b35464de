"""Functions that take functions, for which PyTorch has graphs of their own."""

from torch import _C


def __getattr__(name):
    return _C._missing_name("torch._higher_order_ops", name)

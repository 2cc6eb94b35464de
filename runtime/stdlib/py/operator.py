"""The operators as functions."""

from builtins import abs

from _operator import *

__lt__, __le__, __eq__, __ne__, __gt__, __ge__ = lt, le, eq, ne, gt, ge
__add__, __sub__, __mul__, __truediv__, __floordiv__, __mod__ = add, sub, mul, truediv, floordiv, mod
__and__, __or__, __xor__, __neg__, __not__, __getitem__ = and_, or_, xor, neg, not_, getitem
__matmul__, __pow__, __contains__, __abs__ = matmul, pow, contains, abs

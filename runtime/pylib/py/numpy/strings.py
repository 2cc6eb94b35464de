"""Functions of arrays of texts: those of `numpy.char`, and some more."""

from torch import _C

from numpy.char import *
from numpy.char import _each, _texts


def slice(a, start=None, stop=None, step=None):
    return _texts(*_each(lambda x: x[start:stop:step], a))


def __getattr__(name):
    return _C._missing_name("numpy.strings", name)

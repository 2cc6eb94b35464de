"""numpy.lib"""

from torch import _C

from numpy.lib import stride_tricks


def __getattr__(name):
    return _C._missing_name("numpy.lib", name)

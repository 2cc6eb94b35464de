"""Arrays of records whose fields are attributes."""

from numpy._records import fromarrays, fromrecords, recarray, record
from torch import _C

array = fromrecords


def __getattr__(name):
    return _C._missing_name("numpy.rec", name)

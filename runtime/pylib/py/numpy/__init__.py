"""The numpy package, over tensors.

What arrays are, and what is not there, is in `_array` and `_dtypes`; a name that NumPy has and this has not fails with
an error that says so.
"""

from torch import _C

from numpy import _dtypes

from numpy._array import array, asarray, dot, matmul, ndarray, newaxis
from numpy._dtypes import *
from numpy._dtypes import bool, can_cast, dtype, finfo, iinfo, issubdtype, promote_types
from numpy._creation import *
from numpy._shapes import *
from numpy._functions import *
from numpy._io import *
from numpy._ops import AxisError
from numpy._print import (
    array2string, array_repr, array_str, get_printoptions, printoptions, set_printoptions,
)
from numpy._ufuncs import all_ufuncs, ufunc

globals().update(all_ufuncs())
for _name in ("ast", "io", "math", "os", "struct", "torch", "zipfile", "Mapping", "Tensor", "functools", "refused"):
    globals().pop(_name, None)

__version__ = "2.4.6"

bool_ = bool
byte, short, intc, int_, longlong, intp = int8, int16, int32, int64, int64, int64
ubyte = uint8
half, single, double = float16, float32, float64
csingle, cdouble = complex64, complex128
True_, False_ = _dtypes._TRUE, _dtypes._FALSE

pi = 3.141592653589793
e = 2.718281828459045
euler_gamma = 0.5772156649015329
inf = float("inf")
nan = float("nan")

_SUBMODULES = ("_core", "core", "dtypes", "fft", "linalg", "random", "testing", "typing")


def __getattr__(name):
    if name in _SUBMODULES:
        return _C._import_module("numpy." + name)
    return _C._missing_name("numpy", name)

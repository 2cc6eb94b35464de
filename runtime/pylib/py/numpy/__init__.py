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
for _name in ("ast", "io", "math", "os", "struct", "torch", "zipfile", "Mapping", "Tensor", "functools", "refused", "NotNumbers",
              "item_dtype", "fields_of_spec", "ItemDType", "RecordDType", "OBJECT"):
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

_SUBMODULES = ("_core", "char", "core", "dtypes", "exceptions", "fft", "lib", "linalg", "random", "rec", "strings", "testing", "typing")
_FURTHER = (
    "apply_over_axes", "astype", "bartlett", "base_repr", "binary_repr", "bitwise_count", "blackman", "broadcast", "common_type", "cumulative_prod",
    "cumulative_sum", "diag_indices", "diag_indices_from", "diagflat", "dsplit", "format_float_positional", "format_float_scientific", "frexp", "hamming", "hanning", "histogram2d",
    "histogram_bin_edges", "histogramdd", "i0", "index_exp", "isdtype", "isfortran", "kaiser", "ldexp", "mask_indices",
    "matrix_transpose", "modf", "nancumprod", "nancumsum", "nanmedian", "nanpercentile", "nanprod", "nanquantile", "nditer", "packbits",
    "piecewise", "put", "putmask", "resize", "s_", "setxor1d", "sort_complex", "tril_indices_from", "trim_zeros",
    "triu_indices_from", "unique_values", "unpackbits", "unstack", "unwrap", "vecdot",
)
_POLYNOMIALS = ("poly", "poly1d", "polyadd", "polyder", "polydiv", "polyfit", "polyint", "polymul", "polysub", "roots")
# Functions of modules that are loaded when one of them is asked for.
_LATER = {"frompyfunc": "numpy._items", "recarray": "numpy._records", "record": "numpy._records", **dict.fromkeys(_FURTHER, "numpy._further"), **dict.fromkeys(_POLYNOMIALS, "numpy._polynomials")}


def __getattr__(name):
    if name in _SUBMODULES:
        return _C._import_module("numpy." + name)
    if name in _LATER:
        found = globals()[name] = getattr(_C._import_module(_LATER[name]), name)
        return found
    return _C._missing_name("numpy", name)


def __dir__():
    return sorted({*globals(), *_SUBMODULES, *_LATER})

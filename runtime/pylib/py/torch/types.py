"""Names for annotations."""

from builtins import bool as _bool, bytes as _bytes, complex as _complex, float as _float, int as _int, str as _str
from typing import Any, Sequence, Union

import torch
from torch import Size, Tensor, device as _device, dtype as _dtype, layout as _layout

Number = Union[_int, _float, _bool]
Device = Union[_device, _str, _int, None]
FileLike = Union[_str, Any]
Storage = Any
_TensorOrTensors = Union[Tensor, Sequence[Tensor]]
_size = Union[Size, list, tuple]
_symsize = _size
_dispatchkey = Union[_str, Any]
py_sym_types = ()

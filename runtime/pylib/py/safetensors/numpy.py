"""Arrays of numpy in files of safetensors."""

import numpy as np
from safetensors import _serialize, _write, deserialize, safe_open

_TYPES = {
    "F64": "float64", "F32": "float32", "F16": "float16", "I64": "int64", "U64": "uint64", "I32": "int32",
    "U32": "uint32", "I16": "int16", "U16": "uint16", "I8": "int8", "U8": "uint8", "BOOL": "bool", "C64": "complex64",
}
_NAMES = {dtype: name for name, dtype in _TYPES.items()}


def _array(dtype, shape, data):
    return np.frombuffer(data, dtype=getattr(np, _TYPES[dtype])).reshape(shape)


def _rows(tensors):
    return [(name, _NAMES[array.dtype.name], tuple(array.shape), array.tobytes()) for name, array in tensors.items()]


def save(tensor_dict, metadata=None):
    return _serialize(_rows(tensor_dict), metadata)


def save_file(tensor_dict, filename, metadata=None):
    _write(_rows(tensor_dict), filename, metadata)


def load(data):
    return {name: _array(view["dtype"], view["shape"], view["data"]) for name, view in deserialize(data)}


def load_file(filename, *, backend="mmap"):
    with safe_open(filename, framework="np", backend=backend) as f:
        return f.get_tensors()

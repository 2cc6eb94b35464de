"""The arrays of numbers in a MATLAB file of version 5, in which some data sets keep their labels."""

import struct
import zlib

import torch
from torch import _C

# Of the kinds of data in the file: the letter of `struct`.
_LETTERS = {1: "b", 2: "B", 3: "h", 4: "H", 5: "i", 6: "I", 7: "f", 9: "d", 12: "q", 13: "Q"}
_TENSORS = {
    "b": torch.int8, "B": torch.uint8, "h": torch.int16, "i": torch.int32, "f": torch.float32, "d": torch.float64, "q": torch.int64,
}
_MATRIX, _COMPRESSED = 14, 15
# Classes of arrays that have numbers, and their dtypes.
_CLASSES = {
    6: torch.float64, 7: torch.float32, 8: torch.int8, 9: torch.uint8, 10: torch.int16, 11: torch.int32, 12: torch.int32,
    13: torch.int64, 14: torch.int64,
}


def _elements(data):
    """The kind and the bytes of each element."""
    at = 0
    while at + 8 <= len(data):
        kind, size = struct.unpack_from("<II", data, at)
        if kind >> 16:
            # Few bytes lie in the tag itself.
            yield kind & 0xFFFF, data[at + 4 : at + 4 + (kind >> 16)]
            at += 8
            continue
        yield kind, data[at + 8 : at + 8 + size]
        at += 8 + size
        if kind != _COMPRESSED:
            at += -size % 8


def _numbers(kind, data):
    letter = _LETTERS.get(kind)
    if letter is None:
        raise ValueError(f"data of kind {kind} in a MATLAB file")
    if letter in _TENSORS:
        return _C._tensor_of_bytes(bytes(data), _TENSORS[letter])
    count = len(data) // struct.calcsize(letter)
    return torch.tensor(struct.unpack(f"<{count}{letter}", data), dtype=torch.int64)


def _array(data):
    parts = list(_elements(data))
    flags, dims, name = parts[0][1], parts[1][1], parts[2][1]
    dtype = _CLASSES.get(flags[0])
    name = bytes(name).decode()
    if dtype is None or flags[1] & 8:
        return name, None
    shape = struct.unpack(f"<{len(dims) // 4}i", dims)
    t = _numbers(*parts[3]).to(dtype)
    # The first index moves fastest.
    return name, t.reshape(shape[::-1]).permute(*range(len(shape))[::-1])


def arrays(path):
    """The tensors of a file by name; cells, structures and texts are left out."""
    with open(path, "rb") as f:
        data = f.read()
    if len(data) < 128 or data[126:128] != b"IM":
        raise ValueError(f"{path} is no MATLAB file of version 5 with its lowest bytes first")
    found = {}
    for kind, body in _elements(data[128:]):
        if kind == _COMPRESSED:
            (kind, body), = list(_elements(zlib.decompress(body)))[:1]
        if kind == _MATRIX and body:
            name, t = _array(body)
            if t is not None:
                found[name] = t
    return found

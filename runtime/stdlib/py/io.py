"""File objects; the classes are native."""

__all__ = ["BlockingIOError", "open", "open_code", "IOBase", "RawIOBase", "FileIO", "BytesIO", "StringIO",
           "BufferedIOBase", "BufferedReader", "BufferedWriter", "BufferedRWPair", "BufferedRandom", "TextIOBase",
           "TextIOWrapper", "UnsupportedOperation", "SEEK_SET", "SEEK_CUR", "SEEK_END"]

from builtins import BlockingIOError

from _io import *
from _io import open

# Over objects in Python these are in `_buffered`, which is imported when one of them is asked for.
_OVER_OBJECTS = ("BufferedReader", "BufferedWriter", "BufferedRandom", "BufferedRWPair", "TextIOWrapper",
                 "IncrementalNewlineDecoder")
for _name in _OVER_OBJECTS:
    globals().pop(_name, None)
del _name


def __getattr__(name):
    if name in _OVER_OBJECTS:
        import _buffered
        return getattr(_buffered, name)
    raise AttributeError(f"module 'io' has no attribute '{name}'")

SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2


def open_code(path):
    return open(path, "rb")


def text_encoding(encoding, stacklevel=2):
    return "utf-8" if encoding is None else encoding

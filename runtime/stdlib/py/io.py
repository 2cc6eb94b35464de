"""File objects: abstract classes over those of `_io`, which are native."""

__all__ = ["BlockingIOError", "open", "open_code", "IOBase", "RawIOBase", "FileIO", "BytesIO", "StringIO",
           "BufferedIOBase", "BufferedReader", "BufferedWriter", "BufferedRWPair", "BufferedRandom", "TextIOBase",
           "TextIOWrapper", "UnsupportedOperation", "SEEK_SET", "SEEK_CUR", "SEEK_END"]

import _io
import abc
from _io import DEFAULT_BUFFER_SIZE, BytesIO, FileIO, StringIO, UnsupportedOperation, open
from builtins import BlockingIOError

SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2


class IOBase(_io._IOBase, metaclass=abc.ABCMeta):
    __doc__ = _io._IOBase.__doc__


class RawIOBase(_io._RawIOBase, IOBase):
    __doc__ = _io._RawIOBase.__doc__


class BufferedIOBase(_io._BufferedIOBase, IOBase):
    __doc__ = _io._BufferedIOBase.__doc__


class TextIOBase(_io._TextIOBase, IOBase):
    __doc__ = _io._TextIOBase.__doc__


RawIOBase.register(FileIO)
for _class in (BytesIO, _io.BufferedReader, _io.BufferedWriter, _io.BufferedRandom):
    BufferedIOBase.register(_class)
for _class in (StringIO, _io.TextIOWrapper):
    TextIOBase.register(_class)
del _class

# Over objects in Python these are in `_buffered`, which is imported when one of them is asked for.
_OVER_OBJECTS = ("BufferedReader", "BufferedWriter", "BufferedRandom", "BufferedRWPair", "TextIOWrapper",
                 "IncrementalNewlineDecoder")


def __getattr__(name):
    if name in _OVER_OBJECTS:
        import _buffered
        return globals().setdefault(name, getattr(_buffered, name))
    if name == "OpenWrapper":
        import warnings
        warnings.warn("OpenWrapper is deprecated, use open instead", DeprecationWarning, stacklevel=2)
        return open
    raise AttributeError(f"module 'io' has no attribute '{name}'")


def open_code(path):
    if not isinstance(path, str):
        raise TypeError(f"open_code() argument 'path' must be str, not {type(path).__name__}")
    return open(path, "rb")


def text_encoding(encoding, stacklevel=2):
    if encoding is None:
        import sys
        encoding = "utf-8" if sys.flags.utf8_mode else "locale"
        if sys.flags.warn_default_encoding:
            import warnings
            warnings.warn("'encoding' argument not specified.", EncodingWarning, stacklevel + 1)
    return encoding

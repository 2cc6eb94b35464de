"""File objects; the classes are native."""

from _io import *
from _io import open

SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2


def open_code(path):
    return open(path, "rb")


def text_encoding(encoding, stacklevel=2):
    return "utf-8" if encoding is None else encoding

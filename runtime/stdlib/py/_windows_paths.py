"""`pathlib.PureWindowsPath`: read and computed with, never opened."""

import fnmatch
import ntpath
import os
from pathlib import Path, PurePath

_RESERVED = {"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"}
_RESERVED |= {f"{kind}{digit}" for kind in ("COM", "LPT") for digit in "123456789\xb9\xb2\xb3"}


class PureWindowsPath(PurePath):
    _flavour = ntpath

    def __init__(self, *args):
        pieces = [arg._text() if isinstance(arg, PurePath) else os.fspath(arg) for arg in args]
        for piece in pieces:
            if not isinstance(piece, str):
                raise TypeError("argument should be a str object or an os.PathLike object returning str, "
                                f"not {type(piece)!r}")
        self._set(ntpath.join(*pieces) if pieces else "")

    def _set(self, text):
        text = text.replace("/", "\\")
        drive, rest = ntpath.splitdrive(text)
        root = "\\" if rest.startswith("\\") or drive.startswith("\\\\") else ""
        parts = [part for part in rest.split("\\") if part and part != "."]
        self._drive, self._separator = drive, root
        self._root = drive + root
        self._parts = [self._root] + parts if self._root else parts

    def _from_parts(self, parts):
        made = object.__new__(type(self))
        rooted = bool(parts and self._root and parts[0] == self._root)
        made._drive, made._separator = (self._drive, self._separator) if rooted else ("", "")
        made._root = made._drive + made._separator
        made._parts = list(parts)
        return made

    def _text(self):
        return "/".join(self._parts)

    def __str__(self):
        if self._root:
            return self._root + "\\".join(self._parts[1:])
        return "\\".join(self._parts) or "."

    def as_posix(self):
        return str(self).replace("\\", "/")

    def as_uri(self):
        if not self.is_absolute():
            raise ValueError("relative path can't be expressed as a file URI")
        from urllib.parse import quote
        path, drive = self.as_posix(), self._drive
        if len(drive) == 2 and drive[1] == ":":
            return "file:///" + drive + quote(path[2:])
        return "file:" + quote(path)

    @property
    def drive(self):
        return self._drive

    @property
    def root(self):
        return self._separator

    def is_absolute(self):
        return bool(self._drive and self._separator)

    def is_reserved(self):
        if not self._parts or self._drive.startswith("\\\\"):
            return False
        return self._parts[-1].partition(".")[0].rstrip(" ").upper() in _RESERVED

    # Case does not count.

    def _folded(self):
        return [part.lower() for part in self._parts]

    def __hash__(self):
        return hash(tuple(self._folded()))

    def __eq__(self, other):
        if not isinstance(other, PureWindowsPath):
            return NotImplemented
        return self._folded() == other._folded()

    def __lt__(self, other):
        if not isinstance(other, PureWindowsPath):
            return NotImplemented
        return self._folded() < other._folded()

    def __le__(self, other):
        if not isinstance(other, PureWindowsPath):
            return NotImplemented
        return self._folded() <= other._folded()

    def __gt__(self, other):
        if not isinstance(other, PureWindowsPath):
            return NotImplemented
        return self._folded() > other._folded()

    def __ge__(self, other):
        if not isinstance(other, PureWindowsPath):
            return NotImplemented
        return self._folded() >= other._folded()

    def relative_to(self, *other):
        other = type(self)(*other)
        count = len(other._parts)
        if self._folded()[:count] != other._folded():
            raise ValueError(f"{str(self)!r} is not in the subpath of {str(other)!r} OR one path is relative "
                             "and the other is absolute.")
        return self._from_parts(self._parts[count:])

    def is_relative_to(self, *other):
        other = type(self)(*other)
        return self._folded()[:len(other._parts)] == other._folded()

    def with_name(self, name):
        if not self.name:
            raise ValueError(f"{self!r} has an empty name")
        if not name or "/" in name or "\\" in name or ":" in name or name == ".":
            raise ValueError(f"Invalid name {name!r}")
        return self._from_parts(self._parts[:-1] + [name])

    def match(self, path_pattern):
        pattern = type(self)(path_pattern)
        wanted, found = pattern._folded(), self._folded()
        if not wanted:
            raise ValueError("empty pattern")
        if pattern._root:
            if len(wanted) != len(found):
                return False
        elif len(wanted) > len(found):
            return False
        return all(fnmatch.fnmatchcase(part, pat) for part, pat in zip(reversed(found), reversed(wanted)))


class WindowsPath(Path, PureWindowsPath):
    def __new__(cls, *args, **kwargs):
        raise NotImplementedError(f"cannot instantiate {cls.__name__!r} on your system")


for _class in (PureWindowsPath, WindowsPath):
    _class.__module__ = "pathlib"

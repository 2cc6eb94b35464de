"""Temporary files and directories."""

import os
import random as _random

__all__ = ["NamedTemporaryFile", "TemporaryFile", "TemporaryDirectory", "mkdtemp", "mkstemp", "mktemp",
           "gettempdir", "gettempprefix", "tempdir"]

tempdir = None
_names = _random.Random()


def gettempdir():
    global tempdir
    if tempdir is None:
        for name in ("TMPDIR", "TEMP", "TMP"):
            if os.environ.get(name) and os.path.isdir(os.environ[name]):
                tempdir = os.environ[name]
                break
        else:
            tempdir = "/tmp"
    return tempdir


def gettempprefix():
    return "tmp"


def _fresh(suffix, prefix, directory, make):
    directory = directory or gettempdir()
    for _ in range(10000):
        middle = "".join(_names.choices("abcdefghijklmnopqrstuvwxyz0123456789_", k=8))
        path = os.path.abspath(os.path.join(directory, (prefix or "tmp") + middle + (suffix or "")))
        try:
            made = make(path)
        except FileExistsError:
            continue
        return path, made
    raise FileExistsError(17, "No usable temporary name found")


def mkdtemp(suffix=None, prefix=None, dir=None):
    return _fresh(suffix, prefix, dir, lambda path: os.mkdir(path, 0o700))[0]


def mktemp(suffix="", prefix="tmp", dir=None):
    return _fresh(suffix, prefix, dir, lambda path: None)[0]


def mkstemp(suffix=None, prefix=None, dir=None, text=False):
    path, file = _fresh(suffix, prefix, dir, lambda path: open(path, "xb"))
    return file, path


class _TemporaryFileWrapper:
    def __init__(self, file, name, delete=True):
        self.file, self.name, self.delete = file, name, delete

    def __getattr__(self, attribute):
        return getattr(self.__dict__["file"], attribute)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    def __iter__(self):
        return iter(self.file)

    def close(self):
        self.file.close()
        if self.delete and os.path.exists(self.name):
            os.unlink(self.name)


def NamedTemporaryFile(mode="w+b", buffering=-1, encoding=None, newline=None, suffix=None, prefix=None,
                       dir=None, delete=True, *, errors=None):
    exclusive = mode.replace("w", "x").replace("r", "x").replace("a", "x")
    path, file = _fresh(suffix, prefix, dir, lambda path: open(path, exclusive, buffering, encoding, errors, newline))
    return _TemporaryFileWrapper(file, path, delete)


def TemporaryFile(mode="w+b", buffering=-1, encoding=None, newline=None, suffix=None, prefix=None, dir=None,
                  *, errors=None):
    made = NamedTemporaryFile(mode, buffering, encoding, newline, suffix, prefix, dir, False, errors=errors)
    os.unlink(made.name)
    return made.file


class TemporaryDirectory:
    def __init__(self, suffix=None, prefix=None, dir=None, ignore_cleanup_errors=False):
        self._ignore_cleanup_errors = ignore_cleanup_errors
        self.name = mkdtemp(suffix, prefix, dir)

    def __repr__(self):
        return f"<{self.__class__.__name__} {self.name!r}>"

    def __enter__(self):
        return self.name

    def __exit__(self, *exc):
        self.cleanup()

    def cleanup(self):
        import shutil
        if os.path.exists(self.name):
            shutil.rmtree(self.name, ignore_errors=self._ignore_cleanup_errors)

"""File names that match shell patterns."""

from _refused import refused
import os
import re

import fnmatch

__all__ = ["escape", "glob", "iglob", "has_magic"]


def has_magic(s):
    return any(c in s for c in "*?[")


def glob(pathname, *, root_dir=None, dir_fd=None, recursive=False, include_hidden=False):
    if dir_fd is not None:
        raise refused("glob.glob", "dir_fd")
    return list(iglob(pathname, root_dir=root_dir, recursive=recursive, include_hidden=include_hidden))


def iglob(pathname, *, root_dir=None, dir_fd=None, recursive=False, include_hidden=False):
    if dir_fd is not None:
        raise refused("glob.iglob", "dir_fd")
    pathname = os.fspath(pathname)
    root = "" if root_dir is None else os.fspath(root_dir)
    found = _expand(root, pathname, recursive, False, include_hidden)
    if not pathname or recursive and pathname[:2] == "**":
        return (path for path in found if path)
    return found


def _entries(root, directory, dirs_only, hidden):
    try:
        entries = list(os.scandir(os.path.join(root, directory) or "."))
    except OSError:
        return []
    return [e.name for e in entries if not dirs_only or e.is_dir()]


def _expand(root, pathname, recursive, dirs_only, hidden):
    directory, base = os.path.split(pathname)
    if not has_magic(pathname):
        full = os.path.join(root, pathname)
        if base:
            if os.path.lexists(full):
                yield pathname
        elif os.path.isdir(os.path.join(root, directory)):
            yield pathname
        return
    if not directory:
        yield from _expand_base(root, "", base, recursive, dirs_only, hidden)
        return
    if directory != pathname and has_magic(directory):
        directories = _expand(root, directory, recursive, True, hidden)
    else:
        directories = [directory]
    for directory in directories:
        for name in _expand_base(root, directory, base, recursive, dirs_only, hidden):
            yield os.path.join(directory, name)


def _expand_base(root, directory, base, recursive, dirs_only, hidden):
    if not has_magic(base):
        if os.path.lexists(os.path.join(root, directory, base)) if base else os.path.isdir(os.path.join(root, directory)):
            yield base
        return
    if recursive and base == "**":
        if not directory or os.path.isdir(os.path.join(root, directory)):
            yield ""
        yield from _below(root, directory, dirs_only, hidden)
        return
    names = _entries(root, directory, dirs_only, hidden)
    if not hidden and base[0] != ".":
        names = [name for name in names if name[0] != "."]
    yield from fnmatch.filter(names, base)


def _below(root, directory, dirs_only, hidden):
    for name in _entries(root, directory, dirs_only, hidden):
        if hidden or name[0] != ".":
            yield name
            inner = os.path.join(directory, name) if directory else name
            for deeper in _below(root, inner, dirs_only, hidden):
                yield os.path.join(name, deeper)


def escape(pathname):
    return re.sub(r"([*?[])", r"[\1]", pathname)

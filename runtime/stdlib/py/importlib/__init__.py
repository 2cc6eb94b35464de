"""Importing by name."""

import sys

from _imp import import_module as _import


def import_module(name, package=None):
    if name.startswith("."):
        if not package:
            raise TypeError(f"the 'package' argument is required to perform a relative import for {name!r}")
        level = len(name) - len(name.lstrip("."))
        base = package.rsplit(".", level - 1)[0] if level > 1 else package
        name = f"{base}.{name[level:]}" if name[level:] else base
    return _import(name)


def reload(module):
    name = module.__name__
    sys.modules.pop(name, None)
    fresh = _import(name)
    vars(module).update(vars(fresh))
    sys.modules[name] = module
    return module


def invalidate_caches():
    pass


__import__ = __import__

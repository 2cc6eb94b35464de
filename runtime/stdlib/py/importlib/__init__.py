"""Importing by name."""

import sys

from _imp import import_module as _import

__all__ = ["__import__", "import_module", "invalidate_caches", "reload"]


def import_module(name, package=None):
    if name.startswith("."):
        if not package:
            raise TypeError(f"the 'package' argument is required to perform a relative import for {name!r}")
        level = len(name) - len(name.lstrip("."))
        base = package.rsplit(".", level - 1)[0] if level > 1 else package
        name = f"{base}.{name[level:]}" if name[level:] else base
    return _import(name)


def reload(module):
    """Runs the module's code again, in the namespace that it has: what it does not define anew stays."""
    try:
        name = module.__spec__.name
    except AttributeError:
        try:
            name = module.__name__
        except AttributeError:
            raise TypeError("reload() argument must be a module") from None
    if sys.modules.get(name) is not module:
        raise ImportError(f"module {name} not in sys.modules", name=name)
    from importlib.util import find_spec
    parent = name.rpartition(".")[0]
    if parent and parent not in sys.modules:
        raise ImportError(f"parent {parent!r} not in sys.modules", name=parent)
    spec = module.__spec__ = _fresh_spec(find_spec, name, module)
    if spec is None:
        raise ModuleNotFoundError(f"spec not found for the module {name!r}", name=name)
    module.__loader__ = spec.loader
    spec.loader.exec_module(module)
    return sys.modules[name]


def _fresh_spec(find_spec, name, module):
    # The finders are asked, not the module that is there.
    del sys.modules[name]
    try:
        return find_spec(name)
    finally:
        sys.modules[name] = module


def invalidate_caches():
    for finder in sys.meta_path:
        if hasattr(finder, "invalidate_caches"):
            finder.invalidate_caches()


__import__ = __import__


def __getattr__(name):
    # CPython's start-up imports these, so that scripts find them without.
    if name in ("abc", "machinery", "util"):
        return _import("importlib." + name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

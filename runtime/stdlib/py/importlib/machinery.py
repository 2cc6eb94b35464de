"""Finders and loaders; those that import are native."""

import os
import sys

from _imp import BuiltinImporter, FrozenImporter, ModuleSpec, NamespaceLoader, PathFinder, SourceFileLoader

__all__ = ["BuiltinImporter", "FrozenImporter", "ModuleSpec", "NamespaceLoader", "PathFinder", "SourceFileLoader",
           "FileFinder", "SOURCE_SUFFIXES", "BYTECODE_SUFFIXES", "EXTENSION_SUFFIXES", "all_suffixes"]

SOURCE_SUFFIXES, BYTECODE_SUFFIXES, EXTENSION_SUFFIXES = [".py"], [".pyc"], [".so"]


def all_suffixes():
    return SOURCE_SUFFIXES + BYTECODE_SUFFIXES + EXTENSION_SUFFIXES


class FileFinder:
    """The modules of one directory, for whoever lists them; imports do not go through it."""

    def __init__(self, path, *loader_details):
        self.path = path or "."

    def __repr__(self):
        return f"FileFinder({self.path!r})"

    def find_spec(self, fullname, target=None):
        return PathFinder.find_spec(fullname, [self.path])

    def invalidate_caches(self):
        pass

    @classmethod
    def path_hook(cls, *loader_details):
        def path_hook_for_FileFinder(path):
            if not os.path.isdir(path or "."):
                raise ImportError("only directories are supported", path=path)
            return cls(path)

        return path_hook_for_FileFinder


if not sys.path_hooks:
    sys.path_hooks.append(FileFinder.path_hook())

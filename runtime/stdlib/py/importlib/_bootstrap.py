"""What CPython's library and others look for under this name."""

import sys

from importlib.machinery import BuiltinImporter, FrozenImporter, ModuleSpec
from importlib.util import module_from_spec, spec_from_loader


def _exec(spec, module):
    spec.loader.exec_module(module)
    return sys.modules.get(spec.name, module)


def _load(spec):
    module = sys.modules[spec.name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(spec.name, None)
        raise
    return sys.modules[spec.name]

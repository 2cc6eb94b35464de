"""Whether and from where a module can be imported."""

from _refused import refused
import os
import sys

from _imp import is_registered as _is_registered


class ModuleSpec:
    def __init__(self, name, loader, *, origin=None, is_package=None):
        self.name, self.loader, self.origin = name, loader, origin
        self.submodule_search_locations = [] if is_package else None

    @property
    def parent(self):
        return self.name.rpartition(".")[0]


class _FileLoader:
    def __init__(self, path):
        self.path = path

    def exec_module(self, module):
        with open(self.path) as file:
            source = file.read()
        exec(compile(source, self.path, "exec"), vars(module))


def find_spec(name, package=None):
    if package is not None:
        raise refused("importlib.util.find_spec", "package")
    if name in sys.modules or _is_registered(name):
        return ModuleSpec(name, None, origin="built-in")
    relative = name.replace(".", "/")
    for directory in sys.path:
        for path, is_package in ((os.path.join(directory, relative, "__init__.py"), True),
                                 (os.path.join(directory, relative + ".py"), False)):
            if os.path.isfile(path):
                return ModuleSpec(name, _FileLoader(path), origin=path, is_package=is_package)
    return None


def spec_from_file_location(name, location, *, loader=None, submodule_search_locations=None):
    if loader is not None:
        raise refused("importlib.util.spec_from_file_location", "loader")
    if submodule_search_locations is not None:
        raise refused("importlib.util.spec_from_file_location", "submodule_search_locations")
    return ModuleSpec(name, _FileLoader(os.fspath(location)), origin=os.fspath(location))


def module_from_spec(spec):
    import types
    module = types.ModuleType(spec.name)
    module.__file__ = spec.origin
    module.__spec__ = spec
    return module

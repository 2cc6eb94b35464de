"""What finders and loaders are expected to have."""

import abc
from _imp import BuiltinImporter, FrozenImporter, PathFinder, SourceFileLoader


class Loader(metaclass=abc.ABCMeta):
    def create_module(self, spec):
        return None


class MetaPathFinder(metaclass=abc.ABCMeta):
    def invalidate_caches(self):
        pass


class PathEntryFinder(metaclass=abc.ABCMeta):
    def invalidate_caches(self):
        pass


class ResourceLoader(Loader):
    @abc.abstractmethod
    def get_data(self, path):
        raise OSError


class InspectLoader(Loader):
    def is_package(self, fullname):
        raise ImportError

    def get_code(self, fullname):
        source = self.get_source(fullname)
        return None if source is None else self.source_to_code(source)

    @abc.abstractmethod
    def get_source(self, fullname):
        raise ImportError

    @staticmethod
    def source_to_code(data, path="<string>"):
        return compile(data, path, "exec", dont_inherit=True)

    def exec_module(self, module):
        code = self.get_code(module.__name__)
        if code is None:
            raise ImportError(f"cannot load module {module.__name__!r} when get_code() returns None")
        exec(code, module.__dict__)


class ExecutionLoader(InspectLoader):
    @abc.abstractmethod
    def get_filename(self, fullname):
        raise ImportError

    def get_code(self, fullname):
        source = self.get_source(fullname)
        return None if source is None else self.source_to_code(source, self.get_filename(fullname))


class SourceLoader(ResourceLoader, ExecutionLoader):
    def get_source(self, fullname):
        return self.get_data(self.get_filename(fullname)).decode()


class FileLoader(ResourceLoader, ExecutionLoader):
    def __init__(self, fullname, path):
        self.name, self.path = fullname, path

    def get_filename(self, name=None):
        if name not in (None, self.name):
            raise ImportError(f"loader for {self.name} cannot handle {name}", name=name)
        return self.path

    def get_data(self, path):
        with open(path, "rb") as file:
            return file.read()


MetaPathFinder.register(BuiltinImporter)
MetaPathFinder.register(FrozenImporter)
MetaPathFinder.register(PathFinder)
SourceLoader.register(SourceFileLoader)


def __getattr__(name):
    # Few ask for these, and they import half of the library.
    if name in ("ResourceReader", "Traversable", "TraversableResources"):
        from importlib.resources import abc
        return getattr(abc, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

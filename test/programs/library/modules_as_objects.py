# Modules with classes of their own, their specs and loaders, and finders that scripts add.
import importlib.util
import json
import sys
import types


class Counting(types.ModuleType):
    """Counts what is read."""

    def __init__(self, name):
        super().__init__(name, "counts")
        self.reads = 0

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        self.reads += 1
        return name.upper()


m = Counting("counting")
sys.modules["counting"] = m
import counting
from counting import alpha

print(counting.beta, alpha, m.reads, m.__name__, m.__doc__, isinstance(m, types.ModuleType), type(m).__name__, m)
print(types.ModuleType("plain").__doc__, types.ModuleType("plain", "doc").__doc__, types.ModuleType("plain"))
for wrong in ((), (3,)):
    try:
        types.ModuleType(*wrong)
    except TypeError as e:
        print("TypeError")

print(json.__spec__.name, json.__spec__.parent, json.__spec__.submodule_search_locations is not None, json.decoder.__spec__.parent)
print(sys.__spec__.name, sys.__spec__.origin, sys.__spec__.has_location, sys.__loader__ is sys.__spec__.loader)
print(importlib.util.find_spec("json").name, importlib.util.find_spec("nothing_of_the_kind"))


class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "made" or name.startswith("made."):
            return importlib.util.spec_from_loader(name, self, is_package=name == "made")

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        module.number = len(module.__name__)
        module.package = module.__package__


sys.meta_path.insert(0, Finder())
import made.inner

print(made.number, made.inner.number, made.inner.package, made.__path__, made.__spec__.loader.__class__.__name__)
sys.meta_path.pop(0)
try:
    import made.other
except ImportError as e:
    print(type(e).__name__, e)

sys.modules["blocked"] = None
try:
    import blocked
except ImportError as e:
    print(e)

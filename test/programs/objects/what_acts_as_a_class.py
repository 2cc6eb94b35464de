# `isinstance` of what only has `__bases__`, unions and aliases of types, cells, modules, proxies of mappings, attributes that
# are deleted.
import collections
import types
import typing


def show(make):
    try:
        print(make())
    except Exception as e:
        print(type(e).__name__, e)


class Acts:
    def __init__(self, *bases):
        self.bases = bases

    @property
    def __bases__(self):
        return self.bases


class Of:
    def __init__(self, cls):
        self.cls = cls

    @property
    def __class__(self):
        return self.cls


root = Acts()
middle = Acts(root)
leaf = Acts(Acts(), middle)
print([isinstance(Of(leaf), c) for c in (root, middle, leaf, Acts(), (Acts(), root))], isinstance(3, root))
print([issubclass(leaf, c) for c in (root, middle, leaf, Acts())], issubclass(root, leaf))
show(lambda: issubclass(leaf, int))
show(lambda: issubclass(3, root))
show(lambda: isinstance(3, 4))
show(lambda: issubclass(int, 4))
nested = (int,)
for _ in range(50):
    nested = (str, nested)
print(isinstance(3, nested), issubclass(bool, nested), isinstance(3.5, nested))
deep = ()
for _ in range(100_000):
    deep = (deep,)
show(lambda: isinstance(3, deep))
del deep

T = typing.TypeVar("T")
print(int | None, int | type(None), (int | None).__args__, int | str == str | int, hash(int | str) == hash(str | int), isinstance(None, int | None))
print((list[T] | int).__parameters__, (list[T] | int)[str], list[int] | int == int | list[int])
for wrong in (list[int], list[int] | str):
    show(lambda: isinstance([], wrong))
show(lambda: issubclass(int, list[int]))

full, empty = types.CellType(2), types.CellType()
print(full.cell_contents, full == types.CellType(2), full != empty)
show(lambda: empty.cell_contents)
del full.cell_contents
show(lambda: full.cell_contents)
show(lambda: types.CellType(1, 2))

m = types.ModuleType("some", "what it is for")
print(m, m.__doc__, m.__annotations__, sorted(vars(m)))
m.__init__("other")
print(m, m.__doc__)
m.__file__ = "/there/other.py"
print(m)
m.__loader__ = "a loader"
del m.__file__
print(m)
m.__dir__ = lambda: ["b", "a"]
print(dir(m))
del m.__annotations__
print(m.__annotations__)
blank = types.ModuleType.__new__(types.ModuleType)
print(vars(blank), blank)
show(lambda: blank.__name__)

proxy = types.MappingProxyType(collections.ChainMap({"a": 1}, {"b": 2}))
print(proxy["b"], sorted(proxy), len(proxy), "c" in proxy, proxy.get("c", 5), proxy.get("a"))
show(lambda: types.MappingProxyType([1]))
show(lambda: proxy["c"])


def f(a, b=2, *, c=3):
    "what it does"
    return a


show(lambda: f.__builtins__["len"] is len)
for name in ("__doc__", "__defaults__", "__kwdefaults__", "__annotations__", "__name__", "__qualname__", "__code__"):
    show(lambda: (delattr(f, name), getattr(f, name)))


def outer():
    x = 1
    return lambda: x


show(lambda: setattr(f, "__code__", outer().__code__))
print(str.maketrans.__qualname__, dict.fromkeys.__qualname__, object.__new__.__qualname__, len.__qualname__)


class Mixed(Acts, int):
    pass


class Named:
    pass


print(Mixed.__base__.__name__, Named.__base__.__name__)
show(lambda: setattr(Named, "__name__", "a\0b"))
show(lambda: object().__format__(3))

# Annotations, docstrings and function metadata.
"""Not the docstring: a comment came first, but this is still the first statement."""
x: int = 1
y: "forward"
print(__annotations__, __doc__[:3])


def f(a: int, b: "str" = "z", *args: float, c: list[int] = None, **kw: dict) -> tuple:
    """Docstring of f.

    Second line."""
    local: int = 3
    undeclared: print("never evaluated")
    return a, b, local


print({k: getattr(v, "__name__", v) for k, v in f.__annotations__.items()})
print(f.__doc__.splitlines()[0], f.__name__, f.__qualname__, f.__defaults__, f.__kwdefaults__, f(1))


class C:
    """Doc of C."""

    attr: int
    value: str = "v"

    class Inner:
        def method(self):
            return lambda: None

    def g(self):
        def local():
            pass

        return local


print(C.__doc__, C.__annotations__, hasattr(C, "attr"), C.value)
print(C.Inner.method.__qualname__, C().g().__qualname__, C.Inner().method().__qualname__)
print(C.__name__, C.Inner.__qualname__, C.__module__, (lambda: 0).__doc__)
f.custom = "attribute"
print(f.custom, f.__dict__, f.__code__.co_name, f.__code__.co_firstlineno, f.__module__)
obj: C = C()
obj.dynamic: int = 5
print(obj.dynamic, sorted(__annotations__))

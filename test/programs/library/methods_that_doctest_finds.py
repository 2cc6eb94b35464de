"""What `doctest` and `inspect` see of classes: properties, generated methods, messages of several lines.

>>> fail("one", "two")
Traceback (most recent call last):
    ...
ValueError: one
two
"""
import dataclasses
import doctest
import inspect
import random
import traceback


def fail(*lines):
    raise ValueError("\n".join(lines))


@dataclasses.dataclass
class Point:
    """
    >>> Point(1).twice
    2
    """

    x: int
    tags: list = dataclasses.field(default_factory=list)
    name: str = "p"

    @property
    def twice(self):
        """
        >>> Point(4).twice
        8
        """
        return self.x * 2

    @staticmethod
    def origin():
        """
        >>> Point.origin()
        Point(x=0, tags=[], name='p')
        """
        return Point(0)

    @classmethod
    def named(cls, name):
        """
        >>> Point.named("q").name
        'q'
        """
        return cls(1, name=name)


@dataclasses.dataclass(frozen=True)
class Frozen:
    y: int = 3


if __name__ == "__main__":
    print(doctest.testmod())
    print([test.name for test in doctest.DocTestFinder().find(Point, "Point", globs=globals())])
    for method in (Point.__init__, Point.__eq__, Point.__repr__, Frozen.__hash__, Frozen.__setattr__):
        print(method.__module__, method.__qualname__, inspect.getmodule(method).__name__)
    print(Point.__init__.__globals__ is globals(), Point.__eq__.__globals__ is globals())
    print(sorted(name for name in globals() if "dataclass_" in name or "create" in name))
    print(inspect.signature(Point), inspect.signature(Frozen))

    # One text for class and message, one for each line of a note.
    try:
        fail("a", "b", "c")
    except ValueError as error:
        error.add_note("n1\nn2")
        print(traceback.format_exception_only(error))
        print(list(traceback.TracebackException.from_exception(error).format_exception_only()))
    try:
        compile("x = = 1", "<text>", "exec")
    except SyntaxError as error:
        print(traceback.format_exception_only(error))

    # Values of classes of `builtins` have no `__module__`; functions and classes do.
    for value in (1, "a", [], {}, None, range(3), ValueError(), object(), Point.__dict__["twice"], iter([]), len, Point, int, fail):
        print(type(value).__name__, hasattr(value, "__module__"), getattr(value, "__module__", None))
    print(Point(1).named.__module__, random.choice.__module__, random.Random().choice.__module__)
    print(inspect.ismethoddescriptor(len), inspect.ismethoddescriptor("".join), inspect.ismethoddescriptor(str.join))

    # A bound method shows the attributes of its function.
    class Marked:
        def test(self):
            pass

        test.mark = "slow"

    print(Marked().test.__dict__, Marked().test.mark, vars(Marked().test), hasattr([].append, "__dict__"))

    # Every name that `dir` lists can be read, the weak reference of an object too.
    import weakref

    class Plain:
        pass

    class Slotted:
        __slots__ = ("__weakref__",)

    class Derived(Plain, Slotted):
        pass

    for made in (Plain(), Slotted(), Derived()):
        print([name for name in dir(made) if not hasattr(made, name)], made.__weakref__, end=" ")
        reference = weakref.ref(made)
        print(made.__weakref__ is reference)
    print(hasattr(1, "__weakref__"), hasattr([], "__weakref__"))

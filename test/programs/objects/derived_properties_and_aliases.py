# Classes that derive from property, classmethod and staticmethod, and read, assign and delete in ways of their own. Classes
# of the library as generic aliases, and the modules that they name.
import collections
import contextvars
import dataclasses
import functools
import inspect
import itertools
import os
import re
import tarfile
import typing
import weakref
import zipfile
from collections import abc

T = typing.TypeVar("T")


class Cached(property, typing.Generic[T]):
    """The text of the class."""

    def __init__(self, fget, name=None, doc=None):
        super().__init__(fget, doc=doc)
        self.key = name or fget.__name__

    def __get__(self, obj, owner=None):
        if obj is None:
            return self
        if self.key not in obj.__dict__:
            obj.__dict__[self.key] = super().__get__(obj, owner)
        return obj.__dict__[self.key]

    def __set__(self, obj, value):
        obj.__dict__[self.key] = value

    def __delete__(self, obj):
        del obj.__dict__[self.key]


class Counting(property):
    read = written = 0

    def __get__(self, obj, owner=None):
        Counting.read += 1
        return super().__get__(obj, owner)

    def __set__(self, obj, value):
        Counting.written += 1
        super().__set__(obj, value * 2)


class Plain(property):
    pass


class Static(staticmethod):
    def __get__(self, obj, owner=None):
        function = super().__get__(obj, owner)
        return lambda *args: ("static", obj is None, function(*args))


class OfClass(classmethod):
    def __get__(self, obj, owner=None):
        bound = super().__get__(obj, owner)
        return lambda *args: ("class", owner.__name__, bound(*args))


class A:
    made = 0

    def __init__(self, v):
        self._v = v

    @Cached
    def cached(self):
        "The text of the getter."
        A.made += 1
        return [self._v]

    @Counting
    def counted(self):
        return self._v

    @counted.setter
    def counted(self, v):
        self._v = v

    @Plain
    def plain(self):
        return self._v

    @plain.setter
    def plain(self, v):
        self._v = v

    @Static
    def static(a):
        return a

    @OfClass
    def of_class(cls, a):
        return cls.__name__, a


class B(A):
    @property
    def plain(self):
        return super().plain + 1


def used(n):
    a, b = A(1), B(2)
    total = 0
    for i in range(n):
        a.counted = i % 5
        b.counted = i % 3
        total += a.counted + b.counted + a.plain + b.plain + len(a.cached) + b.cached[0]
        total += A.static(i)[2] + b.static(1)[2] + B.of_class(2)[2][1]
        if i % 3 == 0:
            a.cached = [i, i]
            del b.cached
        a.plain = total % 7
    return total, A.made, Counting.read, Counting.written, a.cached


for n in (3, 700):
    print(used(n))
print(A.static(1), A(1).static(2), B.of_class(3), B(1).of_class(4), type(A.__dict__["counted"]), A.counted is A.__dict__["counted"])
print(Cached.__doc__, A.cached.__doc__, A.__dict__["cached"].key, type(A.plain), A.plain.fset is not None)
for wrong in (lambda: setattr(B(1), "plain", 2), lambda: delattr(A(1), "counted"), lambda: A.cached.__get__(A(5))):
    try:
        print(wrong())
    except AttributeError as e:
        print(e)

for known in (
    collections.deque, collections.OrderedDict, abc.Sequence, abc.Mapping, contextvars.ContextVar, contextvars.Token,
    dataclasses.Field, functools.partial, functools.partialmethod, functools.cached_property, itertools.chain,
    re.Pattern, re.Match, weakref.ref,
):
    alias = known[int]
    print(repr(alias).rpartition(".")[2], type(alias), alias.__origin__ is known, alias.__args__, typing.get_args(alias))
print(abc.Callable, abc.Sequence[int], zipfile.BadZipFile, tarfile.ReadError, inspect.Signature, inspect.Parameter.empty)
print(repr(os.DirEntry[str]).endswith("DirEntry[str]"))


U = typing.TypeVar("U")


def refused(f):
    try:
        return f()
    except TypeError as e:
        return str(e)


class Items(list[T]):
    pass


class ByName(dict[str, T], typing.Generic[T]):
    pass


class Nested(ByName[list[T]]):
    pass


print(list[T][int], dict[T, U][int, str], dict[str, list[T]][int], tuple[T, ...][int], list[list[T]][U], list[T] | None)
print(refused(lambda: list[int][str]), refused(lambda: dict[T, U][int]), refused(lambda: dict[T, U][int, str, float]))
print(list[int].__parameters__, list["T"].__parameters__, dict[T, T].__parameters__, dict[str, dict[U, list[T]]].__parameters__)
print(Items.__orig_bases__, ByName[int], ByName.__parameters__, Nested.__parameters__, Nested[int], Items([1]))

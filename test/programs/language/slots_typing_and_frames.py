"""What packages ask of classes: slots beside inherited properties, descriptors that only write, generic bases, frames."""
import copyreg
import copy
import inspect
import pickle
import sys
import typing
import weakref
from functools import partial


class Base:
    __slots__ = ()
    names = []

    def __init_subclass__(cls):
        Base.names.append((cls.__name__, "x" in cls.__dict__, sorted(k for k in cls.__dict__ if k == "x")))

    @property
    def x(self):
        return "property"


class Slotted(Base):
    __slots__ = ("x", "__weakref__")


for i in range(40):
    s = Slotted()
    s.x = i
    assert s.x == i
print(Base.names, Slotted.x, s.x, Base().x, Slotted.__dict__["x"])
del s.x
try:
    s.x
except AttributeError as e:
    print(e)
print(Slotted.__weakref__, weakref.ref(s)() is s)


class Write:
    def __set__(self, obj, value):
        obj.__dict__["w"] = value * 2


class Owner:
    w = Write()


for i in range(40):
    o = Owner()
    o.w = i
    assert o.w == 2 * i
print(type(Owner().w).__name__, o.w)

T = typing.TypeVar("T", covariant=True)


class Bag(typing.Container[T], typing.Iterable[T], typing.Sized):
    pass


class Table(typing.Dict[str, T], typing.Generic[T]):
    pass


class Numbers(typing.List[int]):
    pass


for cls in Bag, Table, Numbers:
    print([c.__name__ for c in cls.__mro__ if c.__name__[0] != "_"])
print(type(typing.List[int]).__name__, type(typing.Union[int, str]).__name__, type(typing.List).__name__)


class P:
    @property
    def q(self):
        "first"


P.q.__doc__ = "second"
print(P.q.__doc__, P.__dict__["q"].__doc__)


def fails():
    kept = 1
    raise KeyError(kept)


def frame_of(e):
    here = e.__traceback__.tb_frame
    there = e.__traceback__.tb_next.tb_frame
    return here.f_code.co_name, there.f_code.co_name, there.f_lineno - there.f_code.co_firstlineno, here.f_locals["mark"]


def catches():
    mark = "seen"
    try:
        fails()
    except KeyError as e:
        print(frame_of(e), e.__traceback__.tb_frame is not None)
    return inspect.currentframe().f_code.co_name, inspect.stack()[0].function, inspect.stack()[1].function


print(catches())
print([f.function for f in inspect.getouterframes(sys._getframe())])


class C:
    def g(self):
        yield 1


print(inspect.isgeneratorfunction(C().g), inspect.isgeneratorfunction(partial(C.g, 1)), inspect.isgeneratorfunction(len))


class D:
    def __init__(self):
        self.a = 1


d = D()
for protocol in 0, 2:
    make, args, *state = d.__reduce_ex__(protocol)
    print(make.__name__, args, state[0])
print(object.__reduce__(d)[0] is copyreg._reconstructor, copy.copy(d).a, pickle.loads(pickle.dumps(d)).a)
try:
    (i for i in ()).__reduce_ex__(2)
except TypeError as e:
    print(e)

# dataclasses, enum, typing, abc, contextlib, types.
import dataclasses, enum, typing, abc, contextlib, types
from dataclasses import dataclass, field, asdict, astuple, replace, fields, is_dataclass, InitVar, KW_ONLY, make_dataclass
from typing import *
def show(f, *a, **k):
    try:
        print(repr(f(*a, **k)))
    except Exception as e:
        print(type(e).__name__, e)
@dataclass
class Point:
    x: int
    y: float = 2.0
    tags: list = field(default_factory=list)
    secret: str = field(default="s", repr=False, compare=False)
    kind: ClassVar[str] = "pt"
    def norm(self): return self.x + self.y
p = Point(1); q = Point(1, tags=[]); print(p, p == q, p.norm(), p.tags is q.tags, asdict(p), astuple(p), replace(p, x=9), Point.kind, [f.name for f in fields(p)], is_dataclass(p), is_dataclass(Point), is_dataclass(5)); show(Point); show(Point, 1, 2, 3, 4, 5); show(Point, 1, z=3); show(hash, p); print(Point.__match_args__, Point.__doc__)
@dataclass(frozen=True, order=True)
class F:
    a: int
    b: str = "x"
f = F(1); print(f, hash(f) == hash(F(1)), F(1) < F(2), sorted([F(3), F(1)]), F(1, "a") <= F(1, "b")); show(setattr, f, "a", 5); show(delattr, f, "a"); show(lambda: F(1) < 5)
@dataclass
class Child(Point):
    z: int = 5
    def __post_init__(self): self.sum = self.x + self.z
print(Child(1), Child(1).sum, Child(1, 2, [], "q", 7))
@dataclass
class IV:
    a: int
    seed: InitVar[int] = 3
    b: int = field(init=False)
    def __post_init__(self, seed): self.b = self.a * seed
print(IV(2), IV(2, 10).b)
@dataclass
class KW:
    a: int
    _: KW_ONLY
    b: int = 1
    c: int
print(KW(1, c=3)); show(KW, 1, 2, 3)
@dataclass(kw_only=True)
class KW2:
    a: int = 1
    b: int
print(KW2(b=2))
def bad():
    @dataclass
    class B:
        a: int = 1
        b: int
show(bad)
def bad2():
    @dataclass
    class B:
        a: list = []
show(bad2)
@dataclass(eq=False)
class NE: a: int = 1
print(NE() == NE(), make_dataclass("MD", [("x", int), ("y", int, field(default=5))])(1))
@dataclass
class Nested:
    p: Point
    ps: List[Point]
    d: Dict[str, Point]
print(asdict(Nested(p, [p], {"k": p})))
@dataclass(slots=True)
class SL:
    a: int
    b: int = 2
s = SL(1); print(s, hasattr(s, "__dict__")); show(setattr, s, "zz", 1)
@dataclass(unsafe_hash=True)
class UH: a: int
print(hash(UH(1)) == hash(UH(1)), repr(fields(UH)[0])[:30])
@dataclass
class Rec:
    n: "Rec" = None
r = Rec(); r.n = r; print(r)
class Color(enum.Enum):
    RED = 1
    GREEN = 2
    ALIAS = 1
    def describe(self): return self.name.lower()
print(Color.RED, repr(Color.RED), Color.RED.name, Color.RED.value, Color(2), Color["GREEN"], list(Color), len(Color), Color.ALIAS is Color.RED, Color.RED == 1, Color.RED in Color, Color.RED.describe(), isinstance(Color.RED, Color), hash(Color.RED) == hash("RED"), dict(Color.__members__), type(Color), Color, f"{Color.RED}", {Color.RED: 1}); show(Color, 5); show(lambda: Color["X"]); show(setattr, Color, "RED", 5)
class I(enum.IntEnum):
    A = 1
    B = enum.auto()
    C = 10
print(I.A + 1, I.B, repr(I.C), I(2), I.A < I.B, sorted(I), f"{I.A}", str(I.A), int(I.C), [1, 2, 3][I.A], I.A == 1)
class S(str, enum.Enum):
    X = "x"
    Y = "y"
print(S.X, repr(S.X), S.X == "x", S("y"), S.X.value, S.X.upper(), "x" == S.X, f"{S.X}")
class Fl(enum.Flag):
    R = enum.auto()
    W = enum.auto()
    X = enum.auto()
    RW = R | W
print(Fl.R | Fl.X, repr(Fl.R | Fl.W), Fl.R in Fl.RW, Fl.RW & Fl.R, ~Fl.R, bool(Fl.R & Fl.W), Fl(3), list(Fl), Fl.X.value, Fl.R ^ Fl.RW)
class IF(enum.IntFlag):
    A = 1
    B = 2
print(IF.A | IF.B, IF.A | 4, repr(IF.A | IF.B), int(IF.A | IF.B), IF(3))
class Planet(enum.Enum):
    EARTH = (5.97e24, 6.37e6)
    MARS = (6.4e23, 3.39e6)
    def __init__(self, mass, radius): self.mass, self.radius = mass, radius
    @property
    def g(self): return round(self.mass / self.radius**2 * 1e11)
print(Planet.EARTH.mass, Planet.MARS.g, Planet((6.4e23, 3.39e6)))
An = enum.Enum("An", "CAT DOG"); print(list(An), An.CAT.value, An(2)); print(enum.Enum("Q", {"a": 5})("a" and 5), enum.unique(An) is An)
def dup():
    class D(enum.Enum):
        A = 1
        A = 2
show(dup)
@enum.unique
class Un(enum.Enum):
    A = enum.auto()
    B = enum.auto()
print([m.value for m in Un])
def notuniq():
    @enum.unique
    class D(enum.Enum):
        A = 1
        B = 1
show(notuniq)
def ext():
    class D(Color): pass
show(ext)
class Miss(enum.Enum):
    A = 1
    @classmethod
    def _missing_(cls, v): return cls.A
print(Miss(99)); import copy
print(copy.deepcopy(Color.RED) is Color.RED)
class StrE(enum.StrEnum):
    FOO = enum.auto()
print(StrE.FOO, StrE.FOO == "foo", repr(StrE.FOO))
class GN(enum.Enum):
    def _generate_next_value_(name, start, count, last): return name * 2
    AB = enum.auto()
print(GN.AB.value)
print(List[int], Optional[str], Union[int, str, None], Dict[str, List[int]], Callable[[int], str], Callable[..., Any], Tuple[int, ...], Tuple[()], Any, Literal["a", 1], Type[int], ClassVar[int], Union[int, int], Union[int], Optional[Union[int, str]], Iterable[int], Annotated[int, "m"], TypeVar("T"))
print(get_origin(List[int]), get_args(Dict[str, int]), get_origin(Optional[int]) is Union, get_args(Optional[int]), get_args(Callable[[int], str]), List[int] == List[int], list[int], dict[str, int], int | None, get_origin(list[int]), get_args(list[int]), hash(List[int]) == hash(List[int]))
T = TypeVar("T"); K = TypeVar("K", bound=int)
class Box(Generic[T]):
    def __init__(self, v): self.v = v
class Sub(Box[int]): pass
class Two(Generic[T, K]): pass
class Both(Dict[str, T], Generic[T]): pass
print(Box[int](5).v, Box[int], Sub(3).v, Sub.__mro__[1].__name__, Sub.__orig_bases__, Two[int, str], Box.__parameters__, [c.__name__ for c in Both.__mro__])
def ann(a: int, b: "str" = 1, *c: float, **d: Any) -> List[int]: pass
print(get_type_hints(ann), ann.__annotations__, cast(int, "x"), TYPE_CHECKING)
class NT(NamedTuple):
    x: int
    y: str = "d"
    def both(self): return (self.x, self.y)
print(NT(1), NT(1, "q").both(), NT._fields, NT.__annotations__, NT(1)._replace(x=2), isinstance(NT(1), tuple), NT._field_defaults); show(NT)
class TD(TypedDict, total=False):
    a: int
    b: str
print(TD(a=1), TD.__annotations__, TD.__total__); NT2 = NamedTuple("NT2", [("a", int)]); print(NT2(3))
class Proto(Protocol):
    def go(self) -> int: ...
@runtime_checkable
class RP(Protocol):
    def go(self): ...
class HasGo:
    def go(self): return 1
print(isinstance(HasGo(), RP), isinstance(5, RP)); show(isinstance, 5, Proto); UserId = NewType("UserId", int); print(UserId(5), UserId.__name__)
@overload
def ov(a: int) -> int: ...
@overload
def ov(a: str) -> str: ...
def ov(a): return a
print(ov(1), final(Box) is Box); show(lambda: Any()); print(isinstance([1], List), issubclass(dict, Mapping))
class Ab(abc.ABC):
    @abc.abstractmethod
    def run(self): "d"
    @property
    @abc.abstractmethod
    def prop(self): ...
class Impl(Ab):
    def run(self): return 1
    prop = 5
show(Ab); print(Impl().run(), sorted(Ab.__abstractmethods__), Impl.__abstractmethods__, isinstance(Impl(), Ab))
class Partial_(Ab):
    def run(self): pass
show(Partial_)
class Reg(metaclass=abc.ABCMeta): pass
Reg.register(int); print(isinstance(5, Reg), issubclass(bool, Reg), isinstance("x", Reg))
@contextlib.contextmanager
def cm(v):
    print("enter", v)
    try: yield v * 2
    except ValueError as e: print("caught", e)
    finally: print("exit")
with cm(2) as v: print(v)
with cm(3): raise ValueError("inside")
try:
    with cm(4): raise KeyError("out")
except KeyError as e: print("propagated", e)
with contextlib.suppress(ZeroDivisionError): 1 / 0
with contextlib.nullcontext(5) as n: print(n)
import io
buf = io.StringIO()
with contextlib.redirect_stdout(buf): print("captured")
print(repr(buf.getvalue()))
with contextlib.ExitStack() as st:
    st.enter_context(cm(7)); st.callback(print, "callback", 1); print(st.enter_context(cm(8)))
class Cl:
    def close(self): print("closed")
with contextlib.closing(Cl()): pass
@cm(9)
def decorated(): print("body")
decorated()
@contextlib.contextmanager
def noyield():
    if False: yield
try:
    with noyield(): pass
except RuntimeError as e: print(e)
@contextlib.contextmanager
def twice(): yield; yield
try:
    with twice(): pass
except RuntimeError as e: print(e)
ns = types.SimpleNamespace(a=1, b="x"); ns.c = 3; print(ns, ns == types.SimpleNamespace(a=1, b="x", c=3), vars(ns)); print(isinstance(show, types.FunctionType), isinstance(len, types.BuiltinFunctionType), isinstance(types, types.ModuleType), types.MethodType(lambda s, x: (s, x), 5)(6)); m = types.ModuleType("mm", "doc"); m.x = 1; print(m.x, m.__name__, m.__doc__); print(types.MappingProxyType({"a": 1})["a"], types.new_class("NC", (), {}, lambda ns: ns.update(q=1)).q)

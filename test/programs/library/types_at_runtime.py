# What annotations are when a program looks at them.
import copy
import inspect
import pickle
import typing
from typing import *

T = TypeVar("T")
S = TypeVar("S", bound="Base")
P = ParamSpec("P")
Ts = TypeVarTuple("Ts")


class Base(Generic[T]):
    def get(self) -> T: ...


class Pair(Base[T], Generic[T, S]):
    pass


class Row(Generic[*Ts]):
    pass


class Sized2(Protocol):
    size: int

    def grow(self) -> None: ...


@runtime_checkable
class Closes(Protocol):
    def close(self): ...


class Movie(TypedDict, total=False):
    title: Required[str]
    year: int


print(Pair.__parameters__, Pair[int, "Base"], Row[int, str], Row[()], Base[T][int], Dict[T, List[S]][int, str])
print(Callable[P, T][[int, str], bool], Callable[Concatenate[int, P], T][[str], None], Callable[..., T][int])
print(Union[int, str, int], Optional[Union[int, None]], Union[List[int], List[int]], Literal[1, 1, True])
print(Literal[1, 2] == Literal[2, 1], Literal[0] == Literal[False], Annotated[int, 1] == Annotated[int, 2])
print(isinstance(open(__file__), Closes), isinstance(3, Closes), issubclass(str, Closes))
print(Movie.__required_keys__, Movie.__optional_keys__, Movie(title="x"), is_typeddict(Movie))
for what in (lambda: Pair[int], lambda: Base[int][str], lambda: List[int, str], lambda: List(), lambda: Sized2(),
             lambda: Generic[int], lambda: Generic[T, T], lambda: Union[()], lambda: Optional[int, str],
             lambda: isinstance(1, Sized2), lambda: isinstance(1, List[int]), lambda: TypeVar("A", int),
             lambda: ClassVar[ClassVar], lambda: exec("class B(Union): pass"), lambda: Callable[int, str],
             lambda: ForwardRef("1 +"), lambda: issubclass(int, Sized2), lambda: assert_never(3)):
    try:
        print(what())
    except Exception as error:
        print(type(error).__name__, error)


class Node:
    next: "Optional[Node]"
    names: "list[str] | None"
    tags: Annotated[List["Node"], "note"]


print(get_type_hints(Node))
print(get_type_hints(Node, include_extras=True)["tags"])


@overload
def twice(x: int) -> int: ...
@overload
def twice(x: str) -> str: ...
def twice(x):
    return x * 2


print([inspect.signature(f) for f in get_overloads(twice)], twice("a"))
print([get_type_hints(f)["x"] for f in get_overloads(twice)])


@final
class Last: ...


print(Last.__final__, get_origin(Dict[str, int]), get_args(Callable[[int], str]), get_args(Annotated[int, 5]))
for thing in (T, List, List[int], Union[int, str], Optional[int], Callable[[int], str], Literal["a"], Tuple[int, ...], Any):
    assert pickle.loads(pickle.dumps(thing)) == thing, thing
    assert copy.deepcopy(thing) == thing, thing
    hash(thing)


class Point(NamedTuple):
    x: int
    y: int = 0


print(Point(1), Point.__annotations__, inspect.signature(Point))


def kinds(a, /, b: "int" = 1, *args: str, c, d: float = 2.0, **kw) -> "list[int]": ...


print(inspect.signature(kinds), inspect.signature(kinds, eval_str=True))
print(inspect.signature(kinds).bind(1, 2, 3, c=4, e=5))
print(inspect.getcallargs(kinds, 1, c=2), inspect.getfullargspec(kinds))
try:
    inspect.Signature([inspect.Parameter("b", inspect.Parameter.KEYWORD_ONLY),
                       inspect.Parameter("a", inspect.Parameter.POSITIONAL_ONLY)])
except ValueError as error:
    print(error)


class Watched:
    @property
    def now(self):
        raise RuntimeError("asked")

    def __getattr__(self, name):
        return "made up"


print(type(inspect.getattr_static(Watched(), "now")).__name__, inspect.getattr_static(Watched(), "other", None))
print([name for name, _ in inspect.getmembers_static(Watched()) if not name.startswith("__")])
print([a.kind for a in inspect.classify_class_attrs(Watched) if a.name == "now"])


def outer():
    free = 1

    def inner():
        return free + len("x") + unknown

    return inner


print(inspect.getclosurevars(outer()).nonlocals, inspect.getclosurevars(outer()).unbound)

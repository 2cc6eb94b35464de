# Paths of another system, read and computed with.
from pathlib import PureWindowsPath as W, PurePosixPath as P, PurePath, WindowsPath
import pathlib
for t in ["c:/a/b.txt", r"C:\x\..\y", r"\\srv\share\f\g", "a/b", r"\a", "c:a", "", ".", "NUL.txt", "c:/", r"\\srv\share"]:
    w=W(t)
    print(repr(w), str(w), w.drive, w.root, w.anchor, w.parts, w.name, w.suffix, w.stem, w.is_absolute(), w.is_reserved(), repr(w.parent), list(w.parents)[:2])
print(W("C:/A")==W("c:/a"), hash(W("C:/A"))==hash(W("c:/a")), W("a")<W("B"), W("c:/a/b").relative_to("C:/A"), W("c:/x.TXT").match("*.txt"))
print(W("c:/a")/"d:/b", W("c:/a")/"/b", W("c:/a")/"b", W("a", "b", "c:d"), W("c:/a b").as_uri(), W("c:/a").as_posix(), W(P("x/y")), P(W("x/y")))
print(isinstance(W("a"), PurePath), W("a")==P("a"), W("c:/a/b.c").with_suffix(".d"), W("c:/a/b.c").with_name("z"))
try:
    WindowsPath("a")
except NotImplementedError as e:
    print(e)

import inspect
import platform
import ssl
from contextlib import AbstractContextManager
from typing import AsyncContextManager, ContextManager, Generic, TypeVar

T = TypeVar("T")


class A(ContextManager[T], Generic[T]):
    pass


class B(AbstractContextManager[int]):
    pass


print(A.__mro__[1].__name__, isinstance(open("/dev/null"), ContextManager), isinstance(3, AsyncContextManager), ContextManager[T])


class Annotated:
    x: int
    y: "list"


def function(a: int, b: "str" = "c") -> None:
    frame = inspect.currentframe()
    return inspect.getargvalues(frame)


print(inspect.get_annotations(Annotated), inspect.get_annotations(Annotated, eval_str=True), inspect.get_annotations(function))
print(function(1).args, function(1).locals["b"])


def generator():
    yield 1


g = generator()
states = [inspect.getgeneratorstate(g)]
next(g)
states.append(inspect.getgeneratorstate(g))
g.close()
print(states, inspect.getgeneratorstate(g), inspect._ParameterKind.VAR_KEYWORD.name)
name = platform.uname()
print(name.system, len(name), name[0] == name.system, platform.mac_ver())
context = ssl.create_default_context()
print(context.verify_mode == ssl.CERT_REQUIRED, context.check_hostname)
context.check_hostname = False
context.verify_mode = ssl.CERT_NONE
bio = ssl.MemoryBIO()
bio.write(b"abc")
print(bio.pending, bio.read(2), bio.read(), issubclass(ssl.SSLError, OSError), issubclass(ssl.SSLCertVerificationError, ValueError))

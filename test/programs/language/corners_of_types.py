# Slots as members, functions made of code, checks that objects answer, and other corners of the types.
import sys
import types


def shown(f):
    try:
        return f()
    except BaseException as e:
        return f"{type(e).__name__}: {e}"


class P:
    __slots__ = {"x": "the first", "y": None}

    def __init__(self):
        self.x = 1


class Q(P):
    pass


p, q = P(), Q()
print(P.x, type(P.x).__name__, P.x.__name__, P.x.__objclass__.__name__, P.x.__doc__, Q.y is not None, Q.x.__objclass__ is P)
print(P.x.__get__(p), P.x.__get__(p, P), shown(lambda: P.y.__get__(p)), isinstance(P.x, types.MemberDescriptorType))
P.y.__set__(p, 5)
print(p.y, P.y.__delete__(p), shown(lambda: p.y), shown(lambda: P.x.__get__(3)), shown(lambda: P.z))
q.own = 3
print(p.__getstate__(), q.__getstate__(), object().__getstate__())


class Plain:
    pass


plain = Plain()
print(plain.__getstate__())
plain.a = 1
print(plain.__getstate__())


def f(a, b=2):
    return a + b + c


c = 10
g = types.FunctionType(f.__code__, {"c": 100}, "renamed", (7,))
print(g(1), g.__name__, g.__defaults__, g.__closure__, type(g) is type(f))
print(types.FunctionType(f.__code__, globals())(1, 2), shown(lambda: types.FunctionType(f.__code__, globals())(1)))
print(shown(lambda: types.FunctionType(3, {})), shown(lambda: types.FunctionType(f.__code__, 3)))


def outer():
    n = 5

    def inner():
        return n

    return inner


inner = outer()
print(types.FunctionType(inner.__code__, {}, closure=inner.__closure__)(), shown(lambda: types.FunctionType(inner.__code__, {})))


class Never(type):
    def __instancecheck__(cls, x):
        return False


class Odd(metaclass=Never):
    pass


class Sub(Odd):
    pass


print(isinstance(Odd(), Odd), isinstance(Sub(), Odd))


class Checks:
    def __subclasscheck__(self, x):
        return True

    def __instancecheck__(self, x):
        return True


print(issubclass([], Checks()), isinstance(3, Checks()), shown(lambda: issubclass([], int)))


class Source:
    __all__ = ["first", "_second"]
    first, _second, third = 1, 2, 3


class Other:
    def __init__(self):
        self.alpha, self._beta = 1, 2


sys.modules["source"], sys.modules["other"] = Source, Other()
space = {}
exec("from source import *\nfrom other import *", space)
print(sorted(k for k in space if not k.startswith("__")))

print(0.0 ** float("-inf"), shown(lambda: 0.0 ** -1.5), shown(lambda: (-2) ** 2000.5), pow(-8, 0.5).real < 1e-9)
print(b"abc".startswith(b"b", 1), b"abc".startswith((b"x", b"a")), b"abc".endswith(b"b", 0, 2), shown(lambda: b"a".startswith("a")),
      shown(lambda: b"a".startswith(1)), b"abcabc".index(98, 2), shown(lambda: b"abc".index(300)), b"abc".rfind(b"c", 0, 2))
s = b"same"
print(s.strip() is s, s.lstrip() is s, b" x ".rstrip(), bytearray(s).strip() == s, int(memoryview(b"12")), int(bytearray(b"z"), 36))
print(b"abc".translate(None, b"b"), b"abc".translate(bytes.maketrans(memoryview(b"a"), b"x")))

print(shown(lambda: compile("x", "s", "exec", optimize=3)), eval(compile("__debug__", "s", "eval", optimize=1)))
exec(compile("assert 0, 'kept out'\ndef g():\n 'doc'\nprint(g.__doc__)", "s", "exec", optimize=2))
for source in ("import sys as __debug__", "from a import b as __debug__", "import __debug__"):
    print(shown(lambda: compile(source, "s", "exec")))
deep = "\n".join(" " * i + "while x:" for i in range(21)) + "\n" + " " * 21 + "pass"
print(shown(lambda: compile(deep, "s", "exec")))
ALLOW_INCOMPLETE = 0x4000
for source in ("if x:", "x = (", "x = 1", "x ="):
    try:
        print(compile(source + "\n", "s", "single", ALLOW_INCOMPLETE) and "whole")
    except SyntaxError as e:
        print(e.msg)


class BadError(Exception):
    def __new__(cls):
        return 3


def raise_bad():
    raise BadError


print(shown(raise_bad))

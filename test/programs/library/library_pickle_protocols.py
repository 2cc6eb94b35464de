"""Pickles in every protocol, extension codes, what the writer may be told; enumerations with boundaries; JSON in pieces."""

import array
import collections
import copyreg
import enum
import functools
import io
import json
import pickle
import pickletools
import re



class Plain:
    class Inner:
        pass

    def __init__(self):
        self.x = [1, 2]

    def method(self):
        return len(self.x)

    @classmethod
    def make(cls):
        return cls()


class Slots:
    __slots__ = ("a", "b")


Point = collections.namedtuple("Point", "x y")
slots = Slots()
slots.a = 5

print("protocols")
for value in (None, True, 255, -70000, 2 ** 80, 1.5, "é" * 3, b"\0\xff", bytearray(b"ab"), (1, 2, 3, 4), [1, [2]], {1: {2}},
              frozenset([1]), 1j, range(3), slice(1, None), ..., len, int, Plain, Plain.Inner, Point(1, 2),
              collections.Counter("aab"), collections.OrderedDict(a=1), re.compile("a+", re.I),
              array.array("h", [1, -2]), list[int], int | str, "a".upper, str.upper, Plain.make):
    made, sizes = [], []
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        back = pickle.loads(pickle.dumps(value, protocol))
        made.append(back == value or type(back) is type(value))
        if isinstance(value, (int, str, bytes, float, tuple, list)):
            sizes.append(len(pickle.dumps(value, protocol)))
    print(repr(value)[:30].split(" at 0x")[0], all(made), sizes)
for protocol in range(2, 6):
    back = pickle.loads(pickle.dumps([slots, Plain().method], protocol))
    print(back[0].a, hasattr(back[0], "b"), back[1]())
print(pickle.dumps([1, "a", (2.5, None)], 0))
pickletools.dis(pickle.dumps({"k": (1, 2)}, 4))

print("extensions")
copyreg.add_extension("__main__", "Plain", 0x1234)
data = pickle.dumps(Plain, 2)
print(data, pickle.loads(data) is Plain)
try:
    copyreg.add_extension("__main__", "Plain", 1)
except ValueError as error:
    print(error)
copyreg.remove_extension("__main__", "Plain", 0x1234)
copyreg.clear_extension_cache()
try:
    pickle.loads(data)
except ValueError as error:
    print(error)


class Marked(pickle.Pickler):
    def persistent_id(self, obj):
        return "here" if isinstance(obj, Plain) else None

    def reducer_override(self, obj):
        if obj is print:
            return str, ("printer",)
        return NotImplemented


class Found(pickle.Unpickler):
    def persistent_load(self, pid):
        return f"<{pid}>"


out = io.BytesIO()
Marked(out, 4).dump([Plain(), print])
print(Found(io.BytesIO(out.getvalue())).load())
print(pickle.loads(b"c__builtin__\nxrange\n(I3\ntR."), pickle.loads(b"citertools\nizip\n."))
try:
    pickle.dumps(lambda: 0)
except (pickle.PicklingError, AttributeError) as error:
    print(type(error).__module__, type(error).__name__)
rebuilt = array._array_reconstructor(array.array, "h", 5, b"\x01\x02\xff\xff")
print(rebuilt, array._array_reconstructor(array.array, "d", 15, b"\x3f\x80\0\0"),
      array._array_reconstructor(array.array, "u", 18, "aé".encode("utf-16-le")))

print("enumerations")


class Strict(enum.Flag, boundary=enum.STRICT):
    A = 1
    B = 2


class Kept(enum.IntFlag, boundary=enum.KEEP):
    A = 1
    C = 4


try:
    Strict(8)
except ValueError as error:
    print(str(error).splitlines()[0])
print(Kept(10), list(Kept(5)), ~Strict.A, Strict.A | Strict.B, Strict["A"] in Strict.A | Strict.B)


@enum.verify(enum.UNIQUE, enum.CONTINUOUS)
class Level(enum.IntEnum):
    LOW = enum.auto()
    HIGH = enum.auto()


print(list(Level), Level.HIGH.value, Level("LOW" == "LOW"), enum.Enum("Made", "a b").b)
try:
    @enum.verify(enum.CONTINUOUS)
    class Gap(enum.IntEnum):
        A = 1
        C = 3
except ValueError as error:
    print(error)

print("json")
print(list(json.JSONEncoder(indent=1).iterencode({"a": [1, None]})))
print(json.decoder.scanstring('"a\\u00e9" rest', 1), json.JSONDecoder().raw_decode(" [1]x", 1))
print(json.encoder.encode_basestring_ascii("é\n"), json.encoder.encode_basestring("é\n"))
print(json.dumps({1: True, None: 2.0, "k": (1, {})}, sort_keys=False, separators=(",", ":")))
print(json.loads("[1.5, 2, NaN]", parse_float=str, parse_int=float, parse_constant=lambda c: c))
for text in ("[1,]", '{"a" 1}', "", '"abc', "[1] 2", b"\xff\xfe[\x001\x00]\x00"):
    try:
        print(json.loads(text))
    except json.JSONDecodeError as error:
        print(error)

print("others")
scanner = re.Scanner([(r"[0-9]+", lambda s, token: int(token)), (r"[a-z_]+", lambda s, token: token), (r"\s+", None)])
print(scanner.scan("sum 3 foo 312 +rest"))
print(*tuple[int, str], list((*tuple[int],)), (*tuple[int],)[0] == tuple[int])


@functools.singledispatch
def shown(value):
    return "object"


@shown.register
def _(value: int | float):
    return "number"


@shown.register(collections.abc.Sized)
def _(value):
    return "sized"


print(shown(1), shown(2.5), shown("ab"), shown(None), shown.dispatch(dict)("x"))
try:
    shown()
except TypeError as error:
    print(error)

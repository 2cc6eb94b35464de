# binascii, StringIO and BytesIO with their states, pickles of buffers and iterators, contexts, partial methods, namespaces.
import array
import binascii
import collections
import contextvars
import copy
import functools
import io
import itertools
import operator
import pickle
import types
import wave


def show(make):
    try:
        print(make())
    except Exception as e:
        print(type(e).__name__, e)


for data in (b"", b"a=b c\t", b"\xff\x00._.\n.\r\nx ", b"x" * 80, b"=" * 30, b"a \nb\t\r\n", b"\r\n=20"):
    for options in ({}, {"quotetabs": True}, {"istext": False}, {"header": True}):
        made = binascii.b2a_qp(data, **options)
        print(made, binascii.a2b_qp(made, header="header" in options) == data, end=" ")
    print()
for text in (b"=", b"= ", b"==", b"=AX", b"=41=4a", b"a=\nb", b"a=\r\nb", b"=\rx", b"a_b", "=C3=A9"):
    print(binascii.a2b_qp(text), binascii.a2b_qp(text, True), end=" ")
print(binascii.crc_hqx(b"abc" * 20, 7), binascii.crc_hqx(b"", -1), binascii.crc32(b"abc", 5))
for call in (lambda: binascii.a2b_base64("\x80"), lambda: binascii.hexlify(3), lambda: binascii.unhexlify("0 "), lambda: binascii.unhexlify("é"),
             lambda: binascii.b2a_base64("text"), lambda: binascii.hexlify(memoryview(b"abcd")[::2]), lambda: binascii.a2b_hex(4),
             lambda: binascii.unhexlify(b"0aFf"), lambda: binascii.hexlify(array.array("H", [1, 2]), ":", 2)):
    show(call)

for end in (None, "", "\n", "\r", "\r\n"):
    s = io.StringIO("a\nb\r\nc\rd", newline=end)
    print(repr(end), repr(s.getvalue()), list(s), s.newlines, s.encoding, s.errors)
    s.write("x\ny\rz")
    s.seek(2)
    s.note = "kept"
    again = pickle.loads(pickle.dumps(s))
    print(repr(again.getvalue()), again.tell(), repr(again.read()), again.note, copy.copy(s).tell(), s.__getstate__()[1])
b = io.BytesIO(b"abc")
b.seek(10)
print(b.write(b""), b.getvalue(), b.__getstate__(), pickle.loads(pickle.dumps(b)).tell())
for call in (lambda: b.truncate(-1), lambda: io.StringIO().truncate(-1), lambda: io.StringIO(newline=b""), lambda: io.StringIO(newline="x"),
             lambda: io.StringIO().seek(1, -1), lambda: b.__setstate__((1,)), lambda: b.__setstate__((b"", -1, None)), lambda: b.__setstate__((b"ab", 1, None)) or b.read(),
             lambda: io.StringIO().__setstate__(("a", "\n", 0, 5))):
    show(call)

buffer = pickle.PickleBuffer(bytearray(b"large"))
kept = []
made = pickle.dumps([buffer, "rest"], protocol=5, buffer_callback=kept.append)
print(len(kept), bytes(kept[0]), bytes(pickle.loads(made, buffers=kept)[0]), pickle.loads(pickle.dumps(buffer, protocol=5)), memoryview(buffer).nbytes, buffer.raw().format)
buffer.release()
show(buffer.raw)
show(lambda: pickle.PickleBuffer(3))
read_only = pickle.dumps(pickle.PickleBuffer(b"abc"), protocol=5, buffer_callback=[].append)
show(lambda: pickle.loads(read_only))
show(lambda: pickle.loads(read_only, buffers=[]))
print(memoryview(pickle.loads(read_only, buffers=[bytearray(b"xyz")])).readonly, pickle.loads(read_only, buffers=(b for b in [b"q"])))

d = collections.deque(range(5))
forth, back = iter(d), reversed(d)
next(forth), next(back)
print(operator.length_hint(forth), list(pickle.loads(pickle.dumps(forth))), list(copy.copy(back)), type(back)(d, 3).__length_hint__())
d.append(5)
print(operator.length_hint(forth), operator.length_hint(itertools.repeat(1, 5)), operator.length_hint(itertools.repeat(1), 7))
print(itertools.count(5, 2), itertools.repeat("a", -1), itertools.count(1.5), copy.copy(itertools.count(3)), pickle.loads(pickle.dumps(itertools.repeat(2, 3))))

var = contextvars.ContextVar("var", default=[])
context = contextvars.Context()
print(context == contextvars.Context(), context.run(var.set, 1) is not None, context[var], var in context, context != contextvars.Context())
for call in (lambda: context["x"], lambda: "x" in context, lambda: contextvars.Context(1), lambda: type("C", (contextvars.Context,), {}), lambda: contextvars.ContextVar(1)):
    show(call)


class Methods:
    def base(self, *args, **kw):
        return type(self).__name__, args, kw

    once = functools.partialmethod(base, 1, a=1)
    twice = functools.partialmethod(once, 2, b=2)
    of_class = functools.partialmethod(classmethod(base), 3)

    @functools.lru_cache(maxsize=2)
    def cached(self, x):
        return x


class Slots:
    __slots__ = ()
    cost = functools.cached_property(lambda self: 1)


m = Methods()
print(m.once(5), m.twice(6, c=3), m.once.__self__ is m, m.cached(1), m.cached(1), Methods.cached.cache_info()._asdict())
print(Methods.cached.cache_info() == type(Methods.cached.cache_info())(hits=1, misses=1, maxsize=2, currsize=1), repr(vars(Methods)["twice"]).partition(" at ")[0])
show(lambda: Slots().cost)
p = functools.partial(print, 1)
q = functools.partial(p, end="")
print(copy.copy(p).args is p.args, q.args is p.args, q.keywords)
n = types.SimpleNamespace(a=1)
n.self = n
print(n, types.SimpleNamespace(b=2) == types.SimpleNamespace(b=2), pickle.loads(pickle.dumps(types.SimpleNamespace(c=3))))
show(lambda: types.new_class("X", (int,), {"metaclass": type}).__mro__)
bases = (int, str)
print(types.resolve_bases(bases) is bases, types.resolve_bases((list[int],)))
show(lambda: types.prepare_class("X", (), {"metaclass": len, "k": 1}))
show(lambda: wave._byteswap(b"abcdef", 3))

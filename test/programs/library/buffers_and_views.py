# Memoryviews, arrays and what takes bytes-like objects.
import array
import struct


def shown(f):
    try:
        return f()
    except Exception as e:
        return f"{type(e).__name__}: {e}"


data = bytearray(b"abcdef")
view = memoryview(data)
print(view[0], view[-1], view[1:4].tolist(), view[::-2].tobytes(), bytes(view[2:]), len(view))
view[0] = 65
view[1:3] = b"XY"
print(data, view == data, view != b"", view[3:] == b"def", 100 in view)
print(shown(lambda: data.append(1)), shown(lambda: data.clear()), shown(lambda: view.__setitem__(0, 300)))
print(shown(lambda: view.__setitem__(slice(0, 2), b"abc")), shown(lambda: view[9]), shown(lambda: view["a"]))
print(view.format, view.itemsize, view.ndim, view.shape, view.strides, view.nbytes, view.readonly, view.contiguous)
print(view[::2].strides, view[::2].contiguous, view.obj is data)
view.release()
print(shown(lambda: view[0]), shown(lambda: len(view)), data.pop())
with memoryview(b"xyz") as v:
    print(hash(v) == hash(b"xyz"), v.hex("-"), shown(lambda: v.__setitem__(0, 1)), v.toreadonly().readonly)
print(shown(lambda: v.tolist()), shown(lambda: memoryview("a")), shown(lambda: memoryview(3)))

cells = memoryview(bytearray(range(12))).cast("B", shape=[3, 4])
print(cells.tolist(), cells[1, 2], cells.shape, cells.strides, cells.ndim)
print(shown(lambda: cells[0]), shown(lambda: cells.cast("h").ndim), memoryview(bytes(8)).cast("i").tolist())
print(memoryview(struct.pack("dd", 1.5, -2.0)).cast("d").tolist(), shown(lambda: memoryview(b"abc").cast("h")))

a = array.array("h", [1, -2, 300])
m = memoryview(a)
m[1] = 77
print(a, bytes(a), m.tolist(), m.format, m.itemsize, m.nbytes, memoryview(a)[1:].tolist())
print(shown(lambda: a.append(1)), shown(lambda: m.__setitem__(0, 99999)))
m.release()
a.append(5)
print(a[1:3], a[::-1], a + array.array("h", [9]), a * 2, a.index(77), a.count(1), 300 in a, a[-1])
a[1:2] = array.array("h", [7, 8])
del a[0]
a.insert(1, -1)
print(a, a.pop(), a.tolist(), a.typecode, a.itemsize, len(a))
print(a < array.array("h", [7]), a <= a, a == array.array("i", list(a)), a != array.array("d", [0.5]))
for code, value in [("b", 128), ("B", -1), ("B", 256), ("H", 65536), ("i", 2**31), ("I", -1), ("I", 2**32), ("q", 2**63),
                    ("Q", -1), ("Q", 2**64), ("f", "x"), ("h", 1.5), ("b", None)]:
    print(code, shown(lambda: array.array(code, [value])))
print(array.array("u", "héé"), array.array("f", [0.1]), array.array("d"), array.array("H", array.array("b", [1, 2])))
print(shown(lambda: array.array("z")), shown(lambda: array.array("h", b"abc")), shown(lambda: a.extend(array.array("b", [1]))))
print(bytes(array.array("I", [1, 2])), bytearray(array.array("h", [1])), b"a" + array.array("B", [66]), b"" + memoryview(b"q"))
print(b"-".join([array.array("B", [65]), memoryview(b"b"), bytearray(b"c")]), b"abc".find(memoryview(b"c")), b"ab" in memoryview(b"ab"[:1]) if 0 else "")
print(b"abc".startswith(b"a"), b"ab" == memoryview(b"ab"), bytearray(b"x").join([memoryview(b"1"), b"2"]), str(memoryview(b"text"), "utf-8"))
print(int(b"12"), struct.unpack("<h", memoryview(b"\1\2")), eval(memoryview(b"1 + 1")), a.byteswap(), a)


class Named(array.array):
    def total(self):
        return sum(self)


n = Named("i", [1, 2, 3])
n.name = "n"
print(n.total(), n, n.name, isinstance(n, array.array))

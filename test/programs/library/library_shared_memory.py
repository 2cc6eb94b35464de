# ctypes over memory, and what multiprocessing shares with it: values, arrays, structures, blocks by name.
import ctypes
import multiprocessing
from ctypes import Structure, Union, c_bool, c_byte, c_char, c_double, c_float, c_int, c_long, c_short, c_ubyte, c_ushort, c_wchar
from multiprocessing import Array, Lock, Process, RawArray, RawValue, Value, sharedctypes, shared_memory


def attempt(f, *args):
    try:
        print(f(*args))
    except Exception as e:
        print(type(e).__name__, e)


print(c_int(5), c_int(1 << 33).value, c_ubyte(-1), c_short(40000).value, c_bool(3), c_char(b"x"), c_wchar("é"), c_float(0.1).value)
print([ctypes.sizeof(t) for t in (c_byte, c_short, c_int, c_long, c_float, c_double, c_char, c_wchar, c_bool)])
attempt(c_int, "x")
attempt(c_char, b"ab")
a = (c_int * 4)(1, 2, 3)
print(len(a), list(a), a[-1], a[1:3], ctypes.sizeof(a), type(a).__name__, (c_int * 4) is type(a))
a[0] = 9
a[1:3] = [7, 8]
print(a[:], bytes(a[:1]))
attempt(lambda: a[4])
s = ctypes.create_string_buffer(b"hello", 10)
print(s.value, s.raw, len(s))
s.value = b"bye"
print(s.value, s.raw)


class Point(Structure):
    _fields_ = [("x", c_int), ("y", c_double)]


class Line(Structure):
    _fields_ = [("a", Point), ("b", Point), ("tag", c_char), ("ids", c_ushort * 3)]


class Both(Union):
    _fields_ = [("i", c_int), ("f", c_float)]


p = Point(1, 2.5)
print(p.x, p.y, ctypes.sizeof(Point), Point.y.offset, ctypes.sizeof(Line), ctypes.alignment(Line))
l = Line(p, (3, 4.5), b"t", (1, 2))
p.x = 100
print(l.a.x, l.b.x, l.b.y, l.tag, list(l.ids))
l.a.x = 11
l.ids[2] = 65535
print(l.a.x, list(l.ids))
u = Both(f=1.0)
print(hex(u.i))
attempt(Point, 1, 2, 3)
buffer = bytearray(8)
n = c_int.from_buffer(buffer, 4)
n.value = 0x01020304
print(buffer, (c_short * 2).from_buffer_copy(buffer, 4)[:])
attempt(c_int.from_buffer, b"1234")
q = ctypes.pointer(n)
q[0] = 77
print(n.value, q.contents.value, ctypes.string_at(s), ctypes.addressof(n) == ctypes.addressof(n))
ctypes.memset(ctypes.addressof(n), 0, ctypes.sizeof(n))
print(n)


def work(number, array, points, lock, text, name):
    with number.get_lock():
        number.value += 1
    with array.get_lock():
        for i in range(len(array)):
            array[i] *= 2
    with lock:
        points[0].x += 5
    text.value = b"from child"
    block = shared_memory.SharedMemory(name=name)
    block.buf[:5] = b"child"
    block.close()


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    number, array = Value("i", 10), Array("d", [1.5, 2.5, 3.5])
    points, text, lock = RawArray(Point, [(1, 2.0), (3, 4.0)]), Array("c", 20), Lock()
    block = shared_memory.SharedMemory(create=True, size=100)
    children = [Process(target=work, args=(number, array, points, lock, text, block.name)) for _ in range(3)]
    for child in children:
        child.start()
    for child in children:
        child.join()
    print(number.value, array[:], points[0].x, points[1].y, text.value, bytes(block.buf[:6]), block.size >= 100)
    block.close()
    block.unlink()
    raw = RawValue(c_long, 7)
    raw.value -= 1
    copy = sharedctypes.copy(raw)
    print(raw.value, copy.value, type(number).__name__, type(array).__name__, type(text).__name__)
    shared = shared_memory.ShareableList([1, "two", 3.0, None, True, b"six"])
    other = shared_memory.ShareableList(name=shared.shm.name)
    other[0] = 42
    print(list(shared), shared.count("two"), shared.index(3.0))
    other.shm.close()
    shared.shm.close()
    shared.shm.unlink()
    plain = Value("d", 0.5, lock=False)
    plain.value *= 3
    print(plain.value, Array("i", 3, lock=False)[:])

"""Numbers of ctypes; pipes of multiprocessing in one process."""

import ctypes
import multiprocessing
from multiprocessing.connection import Connection

x = ctypes.c_int(5)
x.value += 2
print(x.value, ctypes.c_uint8(300).value, ctypes.c_int8(200).value, ctypes.c_int64(-1).value, ctypes.c_uint32(-1).value, ctypes.c_bool(3).value)
print(ctypes.c_float(0.1).value, ctypes.c_double(0.1), ctypes.sizeof(ctypes.c_long), ctypes.sizeof(ctypes.c_char), ctypes.c_char_p(b"ab").value, bool(ctypes.c_int(0)))
print(ctypes.c_int32 is ctypes.c_int, ctypes.c_int.__name__, x, type[int], list[type[int]])
for what in (lambda: ctypes.c_int("a"), lambda: ctypes.c_float("a"), lambda: ctypes.CDLL("no such library")):
    try:
        what()
    except (TypeError, OSError) as error:
        print(type(error).__name__)
one, other = multiprocessing.Pipe()
one.send({"a": [1, 2]})
print(other.poll(), other.recv(), other.poll(), isinstance(one, Connection))

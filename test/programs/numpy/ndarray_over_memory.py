# An array that shows another array's memory, or bytes.
import numpy as np


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


a = np.array([1, 2, 3, 4, 5, 6])
b = np.ndarray(shape=(2, 3), dtype=int, buffer=a)
b[0, 0] = 10
a[5] = 7
print(a, b, b.dtype)
print(np.ndarray((2,), int, a, 8), np.ndarray((3, 2), int, a, order="F"), np.ndarray((2, 2), int, a, 8, (16, 8)))
print(np.ndarray(3, np.float64, np.arange(3.0)), np.ndarray((4,), np.uint8, b"abcd"), np.ndarray((2, 0), int, a).shape)
print(np.ndarray((4,), np.int32, np.array([1, 2**32 + 5])), np.ndarray((2, 3)).shape)
attempt(lambda: np.ndarray((7,), int, a))
attempt(lambda: np.ndarray((2, 2), int, np.arange(12).reshape(3, 4)[:, ::2]))

# Functions of numbers for arrays: with keywords, with arguments that do not move, with several results.
import numpy as np
f = np.vectorize(lambda x, y=1, *, k=2: x + y * k)
print(f([1, 2], y=3), f([[1.5], [2]], [1, 2], k=[0, 1]), f(5), f(1, 2, k=3).shape)


def poly(p, x):
    total = 0
    for c in p:
        total = total * x + c
    return total


print(np.vectorize(poly, excluded=["p"])(p=[1, 2, 3], x=[0, 1]), np.vectorize(poly, excluded={0})([1, 2, 3], [2, 3]))
two = np.vectorize(lambda v: (v // 3, v % 3))
print(two([7, 8]), np.vectorize(divmod)(np.arange(4).reshape(2, 2), 2))
print(np.vectorize(lambda v: v * .5, otypes=[int])([1, 3]), np.vectorize(lambda v: v, otypes=[float])([]), np.vectorize(lambda v: v > 1)([1, 2]).dtype, np.vectorize(lambda v: v, otypes="fi"[:1])([1]).dtype)
try:
    np.vectorize(lambda v: v)([])
except ValueError as e:
    print(e)
print(f.pyfunc(1), np.vectorize(lambda v: v, doc="d").__doc__)


@np.vectorize
def g(a, b):
    "adds"
    return a + b


print(g([1], 2), g.__doc__)

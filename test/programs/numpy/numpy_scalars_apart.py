"""A NumPy scalar is no int or float to the operators of Python's own numbers: results are NumPy's scalars."""
import numpy as np

one, half, true = 1, 0.5, True
pairs = [np.float64(3), np.float32(2.5), np.int64(3), np.int8(3), np.uint8(3), np.bool_(True)]


def both(left, right):
    yield "+", lambda: left + right
    yield "-", lambda: left - right
    yield "*", lambda: left * right
    yield "/", lambda: left / right
    yield "//", lambda: left // right
    yield "%", lambda: left % right
    yield "**", lambda: left ** right
    yield "&", lambda: left & right
    yield "|", lambda: left | right
    yield "^", lambda: left ^ right
    yield "<<", lambda: left << right
    yield "==", lambda: left == right
    yield "!=", lambda: left != right
    yield "<", lambda: left < right
    yield ">=", lambda: left >= right


for plain in (1, 0.5, True):
    for scalar in pairs:
        for left, right in ((plain, scalar), (scalar, plain)):
            line = []
            for name, f in both(left, right):
                try:
                    line.append(name + " " + repr(f()))
                except TypeError as e:
                    line.append(name + " TypeError")
            print(type(left).__name__, type(right).__name__, ", ".join(line))

print("a" == np.float64(1), "3" == np.int64(3), b"a" != np.int64(3), None == np.int8(1))
print([1, 2] * np.int64(2), np.int64(2) * (1,), "ab" * np.int8(2))
print(repr(sum([np.float64(1), 2])), repr(max(1, np.float64(2))), repr(1.0 + np.int8(3)), type(True + np.bool_(True)))


def hot(x, n):
    total = 0
    for k in range(n):
        total = total + 2 * x
        total = 1.5 + total
    return total


for x in (np.float64(0.5), np.float32(0.5), np.int64(2), np.int8(1)):
    print(type(x).__name__, [repr(hot(x, n)) for n in (1, 30, 40)])

"""array.array"""

import array
import copy
import pickle

a = array.array("i", [1, 2, 3])
a.append(4)
a.extend([5, 6])
print(a, len(a), a[1], a[1:3], a[-1], 3 in a, a.itemsize, a.typecode, list(a), a.tobytes()[:8])
a[0] = 9
a[1:3] = array.array("i", [7, 7, 7])
print(a, a.index(7), a.count(7), a.pop(), a.pop(0), a + array.array("i", [1]), a * 2, a == copy.copy(a))
f = array.array("f", [0.1, 2])
print(f, array.array("d", [0.1]), array.array("b"), array.array("B", b"\x01\x02"), pickle.loads(pickle.dumps(a)) == a)
f.frombytes(b"\0\0\x80?")
f.reverse()
print(f.tolist(), array.typecodes, array.array("u", "ab"))
for what in (
    lambda: array.array("x"), lambda: a.append("x"), lambda: array.array("b", [300]), lambda: a.remove(100), lambda: a[100],
    lambda: a.append(1.5), lambda: array.array("i", b"abc"), lambda: hash(a), lambda: a.extend(f),
):
    try:
        print(what())
    except (ValueError, TypeError, OverflowError, IndexError) as error:
        print(type(error).__name__)

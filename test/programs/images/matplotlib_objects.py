"""Numbers that are objects, and texts in arrays, on axes; None is a gap."""

from decimal import Decimal
from fractions import Fraction

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

fig, ax = plt.subplots()
(line,) = ax.plot([1, 2, 3, 4], [1, None, 3.5, np.float64(2)])
print(line.get_xydata().tolist())
print([one.get_xydata().tolist() for one in ax.plot(np.arange(1, 3), [[None, 1], [2, 3.5]])])
(line,) = ax.plot(np.array([1, 2.5, 3], dtype=object))
print(line.get_xydata().tolist())
print(np.asarray(ax.scatter([1, 2], [None, 2]).get_offsets()).tolist())
print([round(float(v), 3) for v in (*ax.get_ylim(), *ax.get_xlim())])
for values in ([Decimal("1.5"), 2], [Fraction(1, 2), 2]):
    (line,) = plt.subplots()[1].plot(values)
    print(line.get_xydata().tolist())
for names in (np.array(["x", "y"], dtype=object), np.array(["x", "y"])):
    fig, ax = plt.subplots()
    (line,) = ax.plot(names, [1, 2])
    print(line.get_xydata().tolist(), [t.get_text() for t in ax.get_xticklabels()])


class Number:
    def __float__(self):
        return 2.5

    def __int__(self):
        return 2


objects = np.array([Decimal("1.5"), Fraction(7, 2), Number(), None], dtype=object)
for dtype in (float, np.float32, int, complex, bool):
    for some in (objects, objects[:3]):
        try:
            print(dtype.__name__, some.astype(dtype))
        except TypeError as e:
            print(dtype.__name__, e)

# Import forms.
import math
import os.path
import collections.abc as abc
from math import floor as fl, pi
from functools import *

print(math.pi == pi, fl(2.7), os.path.join("a", "b"), abc.__name__, callable(reduce))
try:
    import no_such_module
except ImportError as e:
    print(type(e).__name__, e)
try:
    from math import nothing_here
except ImportError as e:
    print(str(e).split(" (")[0])


def lazily():
    import itertools as it
    from collections import OrderedDict, Counter

    return list(it.islice(it.count(5), 3)), Counter("aab").most_common(1), list(OrderedDict(a=1))


print(lazily())
try:
    import os.nope
except ModuleNotFoundError as e:
    print(e)
print(__name__, "math" in globals(), math.__name__)

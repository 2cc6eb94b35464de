# The callables of operator, and partials: how they show, are copied and pickled; texts of errors. Modules in zip files.
import copy
import functools
import operator
import os
import pickle
import sys
import tempfile
import typing
import zipfile


def tried(f, *args):
    try:
        return f(*args)
    except Exception as e:
        return f"{type(e).__name__}: {e}"


class Point:
    def __init__(self, x, y):
        self.x, self.y, self.parts = x, y, [x, y]

    def moved(self, by, *, times=1):
        return self.x + by * times, self.y + by * times


point = Point(3, 4 + 2j)
for getter, of in (
    (operator.itemgetter(1), "abc"),
    (operator.itemgetter(0, -1, slice(1, 3)), "abcd"),
    (operator.attrgetter("x"), point),
    (operator.attrgetter("y.imag", "x", "parts"), point),
    (operator.methodcaller("moved", 2), point),
    (operator.methodcaller("moved", 2, times=3), point),
):
    again = pickle.loads(pickle.dumps(getter))
    print(getter, type(getter), getter(of), again(of) == getter(of), copy.copy(getter), copy.deepcopy(again))
    print(tried(getter), tried(getter, 1, 2), isinstance(getter, type(getter)), getter.__reduce__()[1])
for wrong in (
    lambda: operator.itemgetter(),
    lambda: operator.attrgetter(),
    lambda: operator.attrgetter(1),
    lambda: operator.methodcaller(),
    lambda: operator.methodcaller(1),
    lambda: operator.itemgetter(1)(5),
    lambda: operator.attrgetter("x.z")(point),
    lambda: type("Derived", (operator.itemgetter,), {}),
):
    print(tried(wrong))
print(sorted([(2, "b"), (1, "c"), (3, "a")], key=operator.itemgetter(1)))


class Named(functools.partial):
    pass


for partial in (functools.partial(int, base=2), Named(pow, 2), functools.partial(functools.partial(pow, 2), 3)):
    print(partial, partial.__reduce__(), copy.copy(partial), pickle.loads(pickle.dumps(partial)).args)
partial = functools.partial(int)
partial.note = [1]
for state in (
    (pow, (2,), {}, {"x": 1}),
    (pow, (2, 3), None, None),
    (1, (), {}, {}),
    (pow, [1], {}, {}),
    (pow, (), [], {}),
    1,
    (pow,),
):
    print(tried(partial.__setstate__, state), partial, partial.__dict__)
inner = functools.partial(pow, 2)
inner.note = 1
print(functools.partial(inner, 5).func is inner, functools.partial(inner, 5)())
print(typing.EXCLUDED_ATTRIBUTES)

with tempfile.TemporaryDirectory() as folder:
    archive = os.path.join(folder, "modules.zip")
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("alone.py", "def f():\n    return __name__, __file__\n")
        made.writestr("pack/__init__.py", "from . import sub\nfrom .deep.inside import where\n")
        made.writestr("pack/sub.py", "y = 2\n")
        made.writestr("pack/deep/__init__.py", "")
        made.writestr("pack/deep/inside.py", "from ..sub import y\nwhere = __package__, y\n")
        made.writestr("pack/data.txt", "text")
        made.writestr("lib/within.py", "w = 7\n")
        made.writestr("twice.py", "v = 'zip'\n")
    with open(os.path.join(folder, "twice.py"), "w") as out:
        out.write("v = 'folder'\n")
    sys.path[:0] = [archive, folder, os.path.join(archive, "lib"), os.path.join(folder, "nothing.zip")]
    import alone
    import pack.sub
    import twice
    import within

    name, file = alone.f()
    print(name, os.path.relpath(file, folder), pack.where, pack.sub.y, within.w, twice.v)
    print([os.path.relpath(p, folder) for p in pack.__path__], type(pack.__loader__).__name__)
    print(pack.__loader__.get_data("pack/data.txt"), tried(__import__, "pack.nothing"), tried(__import__, "nowhere"))

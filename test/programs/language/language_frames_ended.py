# What frames tell of functions that have ended: their variables, lines and callers.
import sys
import traceback


def inner(n):
    doubled = n * 2
    def closure():
        return doubled
    later = [doubled]
    raise ValueError(n, closure())


def outer(n):
    before = "outer"
    inner(n + 1)
    after = "never"


def show(tb):
    while tb is not None:
        frame = tb.tb_frame
        names = {k: v for k, v in frame.f_locals.items() if isinstance(v, (int, str, list))} if frame.f_code.co_name != "<module>" else "module"
        print(frame.f_code.co_name, tb.tb_lineno, frame.f_lineno, names, frame.f_back and frame.f_back.f_code.co_name)
        tb = tb.tb_next


for i in range(40):
    try:
        outer(i)
    except ValueError as e:
        kept = e
        if i in (0, 39):
            show(e.__traceback__)


def catches():
    here = 1
    try:
        outer(5)
    except ValueError as e:
        here += 1
        return e


caught = catches()
show(caught.__traceback__)
frame = caught.__traceback__.tb_frame
print(frame is caught.__traceback__.tb_frame, frame.f_locals["here"], frame.f_back.f_code.co_name)
last = caught.__traceback__.tb_next.tb_next
print(last.tb_frame.f_back.f_code is caught.__traceback__.tb_next.tb_frame.f_code, last.tb_frame.f_locals["later"])


def recursive(n, tag):
    mine = tag * n
    if n == 0:
        raise KeyError(mine)
    recursive(n - 1, tag)


try:
    recursive(3, "x")
except KeyError as e:
    show(e.__traceback__)


def gen():
    total = 0
    while True:
        total += yield total
        if total > 5:
            raise RuntimeError("enough")


g = gen()
next(g)
try:
    for i in range(10):
        g.send(i)
except RuntimeError as e:
    show(e.__traceback__)
    print(g.gi_frame)


class C:
    def __init__(self, x):
        self.x = x
        word = "init"
        self.fail()

    def fail(self):
        word = "fail"
        raise TypeError(self.x)

    def __repr__(self):
        return "C"


try:
    C(1)
except TypeError as e:
    show(e.__traceback__)
    for f, lineno in traceback.walk_tb(e.__traceback__):
        print(f.f_code.co_name, lineno, f.f_locals.get("word"))
    traceback.clear_frames(e.__traceback__)
    print([f.f_locals for f, _ in traceback.walk_tb(e.__traceback__)][1:])

s = traceback.TracebackException(ValueError, kept, kept.__traceback__, capture_locals=True)
for entry in s.stack:
    print(entry.name, entry.lineno, {k: v for k, v in (entry.locals or {}).items() if "function" not in v and k != "kept"} if entry.name != "<module>" else "")


class Noted:
    def __del__(self):
        print("gone")


def holds():
    noted = Noted()
    raise OSError("held")


try:
    holds()
except OSError:
    print("handled")
print("after")


def me():
    x = 1
    f = sys._getframe()
    x = 2
    return f


f = me()
print(f.f_locals["x"], f.f_back.f_code.co_name, f is f.f_locals["f"])
f.clear()
print(f.f_locals)
try:
    sys._getframe().clear()
except RuntimeError as e:
    print(e)

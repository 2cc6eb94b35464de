# traceback: texts of exceptions, groups, limits, stacks; what is reported when nobody can be raised to.
import io
import sys
import traceback


def inner(n):
    x = n * 2
    raise ValueError(f"v{n}")


def outer(n):
    return inner(n) + 1


def lines(texts):
    for text in texts:
        for line in text.splitlines():
            if 'File "' in line:
                line = line[: line.index('"')] + line[line.rindex('"') + 1 :]
            print("|", line)


try:
    outer(3)
except ValueError as e:
    kept = e
lines(traceback.format_exception(kept))
lines(traceback.format_exception(kept, limit=1))
lines(traceback.format_exception(kept, limit=-1))
lines(traceback.format_exception(ValueError, kept, kept.__traceback__))
lines(traceback.format_exception_only(kept))
lines(traceback.format_exception_only(type(kept), kept))
lines(traceback.format_exception(None))
lines(traceback.format_tb(kept.__traceback__, 2))
lines(traceback.format_list([("f.py", 3, "g", "x = 1"), traceback.FrameSummary("h.py", 4, "i", line="y")]))

try:
    try:
        outer(1)
    except ValueError:
        raise KeyError("second")
except KeyError as e:
    lines(traceback.format_exception(e))
    lines(traceback.format_exception(e, chain=False))
    try:
        raise TypeError("third") from e
    except TypeError as f:
        lines(traceback.format_exception(f))
        t = traceback.TracebackException.from_exception(f)
        print(t.exc_type.__name__, str(t), t.__cause__.exc_type.__name__, t.__cause__.__context__.exc_type.__name__)
        print([(s.name, s.lineno, s.line) for s in t.__cause__.__context__.stack])

s = traceback.extract_tb(kept.__traceback__)
print([(f.name, f.lineno) for f in s], len(s[0]), s[0][1:3], s[0].lineno, repr(s[1]).rsplit(" ", 1)[1])


def deep(n):
    if n:
        deep(n - 1)
    else:
        raise RuntimeError("deep")


try:
    deep(10)
except RuntimeError as e:
    lines(traceback.format_exception(e))

e = ValueError("noted")
e.add_note("one\ntwo")
lines(traceback.format_exception(e))
try:
    compile("a = (1", "<text>", "exec")
except SyntaxError as e:
    lines(traceback.format_exception_only(e))
    t = traceback.TracebackException.from_exception(e)
    print(t.filename, t.lineno, t.offset, t.msg)

group = ExceptionGroup("outer", [kept, TypeError("t"), ExceptionGroup("inner", [KeyError("k"), OSError(2, "no")])])
lines(traceback.format_exception(group))
try:
    raise group
except* KeyError as g:
    lines(traceback.format_exception(g))
except* Exception as g:
    lines(traceback.format_exception(g))
try:
    raise ExceptionGroup("many", [ValueError(i) for i in range(17)]) from ValueError("cause")
except ExceptionGroup as g:
    lines(traceback.format_exception(g))


def stack():
    def local():
        return traceback.extract_stack(), traceback.format_stack(limit=2)

    return local()


found, shown = stack()
print([f.name for f in found])
lines(shown)
out = io.StringIO()
traceback.print_exception(kept, file=out)
traceback.print_tb(kept.__traceback__, file=out)
traceback.print_stack(file=out)
lines([out.getvalue()])
print([(f.f_code.co_name, n) for f, n in traceback.walk_tb(kept.__traceback__)])
try:
    traceback.format_exception(3)
except TypeError as e:
    print(e)

# Without anybody to raise to
seen = []
sys.unraisablehook = lambda u: seen.append((u.exc_type.__name__, str(u.exc_value), u.err_msg, getattr(u.object, "__name__", None)))


class Bad:
    def __del__(self):
        raise ValueError("in del")


Bad()
import weakref


class Plain:
    pass


def callback(ref):
    raise KeyError("in callback")


p = Plain()
r = weakref.ref(p, callback)
del p
print(seen)
sys.unraisablehook = sys.__unraisablehook__
sys.stderr = io.StringIO()
Bad()
text = sys.stderr.getvalue()
print(text.split(" at ")[0], text.splitlines()[-1])


def failing(u):
    raise RuntimeError("hook fails")


sys.unraisablehook = failing
sys.stderr = io.StringIO()
Bad()
text = sys.stderr.getvalue()
sys.stderr = sys.__stderr__
print(text.split(" at ")[0], text.splitlines()[-1])
sys.unraisablehook = sys.__unraisablehook__

import atexit

atexit.register(print, "last")
atexit.register(lambda: print("first"))
atexit.register(stack)
atexit.unregister(stack)

# What exceptions keep: attributes that are set and deleted, errors of codecs, states, tracebacks as objects.
import codecs
import copy
import pickle


def show(make):
    try:
        print(make())
    except Exception as e:
        print(type(e).__name__, e)


for cls, args in ((UnicodeEncodeError, ("ascii", "g\xfcrk", 1, 2, "ouch")), (UnicodeDecodeError, ("ascii", b"g\xfcrk", 1, 2, "ouch")),
                  (UnicodeTranslateError, ("g\xfcrk", 1, 2, "ouch"))):
    e = cls(*args)
    print(e, repr(e), e.object, e.start, e.end, e.reason, getattr(e, "encoding", None))
    e.start, e.end, e.reason = 0, 3, 5
    print(e, e.args)
    e.start = e.end = 100
    print(e)
    e.object = args[-4] * 50
    e.end = 101
    print(e)
    for wrong in ("start", "end"):
        show(lambda: setattr(e, wrong, "x"))
        show(lambda: delattr(e, wrong))
    for i in range(len(args)):
        show(lambda: cls(*args[:i], None, *args[i + 1:]))
    show(lambda: cls(*args[1:]))
    show(lambda: cls(*args, 1))
print(UnicodeEncodeError("ascii", "\u20ac\U00010000", 1, 2, "why"), UnicodeTranslateError("ab", 0, 2, "why"), sep="\n")

e = SyntaxError("what", ("file", 3, 4, "text", 5, 6))
e.msg = "other"
print(e, e.args, e.print_file_and_line)
del e.msg, e.filename
print(e, e.msg, e.filename)
e = ImportError("no", name="n", path="p")
print(e.name, e.path, pickle.loads(pickle.dumps(e)).__dict__, pickle.loads(pickle.dumps(e)).name, copy.copy(e).path)
e.__init__()
print(e.name, e.path, e.msg, repr(str(e)))
show(lambda: ImportError("x", other=1))
e = FileNotFoundError(2, "gone", "a", None, "b")
f = pickle.loads(pickle.dumps(e))
print(f, f.filename, f.filename2, type(f).__name__, f.errno)
del f.filename, f.strerror
print(f.filename, f.strerror)
e = StopIteration(3)
del e.value
print(e.value, SystemExit(4).code)

e = ValueError("v")
for name in ("args", "__cause__", "__context__", "__traceback__", "__suppress_context__"):
    show(lambda: delattr(e, name))
e.__setstate__({"extra": 1, "__notes__": ["n"]})
print(e.extra, e.__notes__, e.__setstate__(None))
show(lambda: e.__setstate__(3))
e.__notes__ = 3
show(lambda: e.add_note("x"))


def raises():
    raise KeyError("k")


try:
    raises()
except KeyError as e:
    tb = e.__traceback__
    print(tb is e.__traceback__, tb.tb_next is not None, tb == e.__traceback__)
    other = ValueError()
    other.__traceback__ = tb
    print(other.__traceback__ is tb, other.with_traceback(None).__traceback__)
    try:
        raise e
    except KeyError as again:
        print(again.__traceback__ is tb, again.__traceback__.tb_next is not None)
try:
    raise ExceptionGroup("g", [ValueError(1), TypeError(2)])
except* ValueError as g:
    print(g.__traceback__ is not None, len(g.exceptions))
except* TypeError:
    print("types")

# Handlers see places that are within the text, and may put another one into the error.


def handler(error):
    if error.start == 0:
        error.object = b"\xff\xffnew" if isinstance(error, UnicodeDecodeError) else error.object
        return "<0>", 1
    return "<more>", -3


codecs.register_error("tells", handler)
for encoding in ("ascii", "utf-8"):
    print(b"\xffold".decode(encoding, "tells"))


def forgets(error):
    error.object = 42
    return "?", error.end


codecs.register_error("forgets", forgets)
raw = bytearray(b"\xff")
error = UnicodeDecodeError("ascii", raw, 0, 1, "w")
raw[0] = 1
print(error.object, type(error.args[1]).__name__, codecs.backslashreplace_errors(error), codecs.replace_errors(error), error)
error.__init__("utf-8", b"ab", 1, 2, "x")
print(error.object, error.start, error)
show(lambda: b"\xffab".decode("utf-8", "forgets"))
show(lambda: b"\xffab".decode("ascii", "forgets"))
for name in ("strict", "ignore", "replace", "backslashreplace", "xmlcharrefreplace", "namereplace", "surrogateescape", "surrogatepass"):
    handle = codecs.lookup_error(name)
    for error in (UnicodeError("ouch"), UnicodeEncodeError("ascii", "a\xfcb", -5, 90, "w"), UnicodeDecodeError("ascii", b"a\xfcb", 1, 2, "w"),
                  UnicodeTranslateError("a\xfcb", 1, 3, "w"), ValueError("v")):
        show(lambda: handle(error))

# Sound files of every width, and what is wrong in others; what `pyclbr` reads out of a module's text.
import array
import io
import os
import pyclbr
import sys
import tempfile
import wave


def tried(f, *args):
    try:
        return f(*args)
    except Exception as e:
        return f"{type(e).__name__}: {e}"


for width, channels, rate in ((1, 1, 8000), (2, 2, 44100), (3, 1, 22050.4), (4, 2, 48000)):
    out = io.BytesIO()
    written = wave.open(out, "wb")
    written.setnchannels(channels)
    written.setsampwidth(width)
    written.setframerate(rate)
    written.setcomptype("NONE", "not compressed")
    frame = width * channels
    data = bytes(range(frame * 20))
    written.writeframes(data[: frame * 7])
    written.writeframesraw(data[frame * 7 :])
    print(written.tell(), written.getnframes(), written.getparams())
    written.close()
    raw = out.getvalue()
    print(len(raw), raw[:48])
    read = wave.open(io.BytesIO(raw))
    print(read.getparams(), read.readframes(3), read.tell())
    read.setpos(18)
    print(len(read.readframes(9)), read.readframes(1), tried(read.setpos, 21), tried(read.getmark, 1))
for bad in (
    b"", b"RIFF", b"RIFX\4\0\0\0WAVE", b"RIFF\4\0\0\0WAVX", b"RIFF\4\0\0\0WAVE", raw[:20], raw[:12] + raw[36:],
    raw[:20] + b"\7" + raw[21:], raw[:22] + b"\0\0" + raw[24:], raw[:34] + b"\0\0" + raw[36:],
):
    print(tried(wave.open, io.BytesIO(bad)))
w = wave.open(io.BytesIO(), "w")
for f in (
    w.getparams, w.getnchannels, w.getsampwidth, w.getframerate, lambda: w.setnchannels(0), lambda: w.setsampwidth(5),
    lambda: w.setframerate(0), lambda: w.setcomptype("ULAW", ""), lambda: w.setmark(1, 2, "a"),
    lambda: w.writeframes(b"ab"), lambda: w.setparams((1, 2, 3, 4, "NONE", "x")), w.getparams,
    lambda: w.writeframes(array.array("h", [1, 2])), lambda: w.setnchannels(1), w.close,
    lambda: wave.open(io.BytesIO(), "x"),
):
    print(tried(f))


def shown(tree, indent=""):
    for name, found in tree.items():
        if name == "__path__":
            print(indent + name, len(found))
            continue
        bases = [base if isinstance(base, str) else base.name for base in getattr(found, "super", [])]
        print(indent + name, type(found).__name__, found.module, os.path.basename(found.file), found.lineno,
              found.end_lineno, getattr(found, "is_async", None), bases, getattr(found, "methods", None))
        shown(found.children, indent + "  ")


with tempfile.TemporaryDirectory() as folder:
    with wave.open(os.path.join(folder, "a.wav"), "w") as w:
        w.setparams((2, 2, 8000, 0, "NONE", "not compressed"))
        w.writeframes(b"abcd" * 10)
    with wave.open(os.path.join(folder, "a.wav")) as r:
        print(r.getparams(), r.readframes(2))
    sys.path.insert(0, folder)
    os.mkdir(os.path.join(folder, "browsed"))
    for name, text in (
        ("base_browsed.py", "class A:\n  def f(self): pass\n  async def g(self):\n    def inner(): pass\n"
                            "class _P: pass\ndef fun(x): pass\n"),
        ("browsed/__init__.py", "from base_browsed import *\nclass T(A): pass\n"),
        ("browsed/sub.py", "from . import T\nimport base_browsed\nclass S(base_browsed.A, list, T):\n"
                           "  class In(object):\n    def z(self): pass\n"),
    ):
        with open(os.path.join(folder, name), "w") as out:
            out.write(text)
    for name in ("base_browsed", "browsed", "browsed.sub"):
        shown(pyclbr.readmodule_ex(name))
    print(list(pyclbr.readmodule("browsed.sub")), tried(pyclbr.readmodule, "nowhere_browsed"),
          tried(pyclbr.readmodule, "base_browsed.x"), pyclbr.readmodule("sys"))

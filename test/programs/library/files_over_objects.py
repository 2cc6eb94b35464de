"""Buffered and text streams over raw streams in Python."""
import io
class Raw(io.RawIOBase):
    def __init__(self, data=b"", piece=3):
        self.data, self.at, self.piece, self.log = bytearray(data), 0, piece, []
    def readable(self): return True
    def writable(self): return True
    def seekable(self): return True
    def readinto(self, room):
        n = min(len(room), self.piece, len(self.data) - self.at)
        room[:n] = self.data[self.at:self.at + n]
        self.at += n
        return n
    def write(self, data):
        data = bytes(data)[:self.piece]
        self.data[self.at:self.at + len(data)] = data
        self.at += len(data)
        self.log.append(data)
        return len(data)
    def seek(self, to, whence=0):
        self.at = to if whence == 0 else self.at + to if whence == 1 else len(self.data) + to
        return self.at
    def tell(self): return self.at
    def truncate(self, n=None):
        del self.data[self.at if n is None else n:]
        return len(self.data)

def show(*fs):
    for f in fs:
        try: r = f()
        except Exception as e: r = (type(e).__name__, str(e))
        print(repr(r))

r = io.BufferedReader(Raw(b"hello\nworld\nlast"))
show(lambda: r.readline(), lambda: r.peek(1)[:1], lambda: r.read(2), lambda: r.tell(), lambda: r.read1(4), lambda: r.readlines(), lambda: r.read(), lambda: r.read(3), lambda: r.seek(0), lambda: list(r), lambda: r.seek(-4, 2), lambda: r.read(), lambda: r.readable(), lambda: r.writable(), lambda: r.closed)
room = bytearray(5)
show(lambda: r.seek(1), lambda: (r.readinto(room), bytes(room)), lambda: r.readline(3), lambda: r.close(), lambda: r.closed, lambda: r.read())
raw = Raw()
w = io.BufferedWriter(raw, 8)
show(lambda: w.write(b"abc"), lambda: bytes(raw.data), lambda: w.write(b"defghijk"), lambda: w.flush(), lambda: bytes(raw.data), lambda: w.tell(), lambda: w.seek(1), lambda: w.write(b"XY"), lambda: w.close(), lambda: bytes(raw.data), lambda: w.write(b"z"), lambda: w.write("z"))
raw = Raw(b"0123456789")
f = io.BufferedRandom(raw)
show(lambda: f.read(3), lambda: f.write(b"AB"), lambda: f.read(2), lambda: f.seek(0), lambda: f.read(), lambda: f.tell(), lambda: f.truncate(4), lambda: bytes(raw.data))
p = io.BufferedRWPair(Raw(b"in\nput"), Raw())
show(lambda: p.readline(), lambda: p.write(b"out"), lambda: p.flush(), lambda: p.read(), lambda: p.seekable())
for newline in (None, "", "\n", "\r\n", "\r"):
    t = io.TextIOWrapper(io.BufferedReader(Raw("aé\r\nb\nc\rd😀\r\n".encode())), encoding="utf-8", newline=newline)
    show(lambda: t.readlines(), lambda: t.newlines)
    raw = Raw()
    t = io.TextIOWrapper(io.BufferedWriter(raw), encoding="utf-16", newline=newline)
    show(lambda: t.write("a\nb\r\n"), lambda: t.flush(), lambda: bytes(raw.data))
t = io.TextIOWrapper(io.BufferedReader(Raw("aé\r\nb\nc\rd😀\r\n".encode())), encoding="utf-8")
show(lambda: t.read(2), lambda: t.readline(), lambda: t.read(1), lambda: next(t), lambda: t.read(), lambda: t.read(), lambda: t.seek(0), lambda: t.read(3), lambda: t.encoding, lambda: t.errors, lambda: t.write("x"))
show(lambda: isinstance(t, io.TextIOBase), lambda: isinstance(t.buffer, io.BufferedIOBase), lambda: t.detach().readable(), lambda: t.read())
t = io.TextIOWrapper(io.BytesIO(b"\xe9\xff"), encoding="ascii", errors="backslashreplace")
show(lambda: t.read())
d = io.IncrementalNewlineDecoder(None, True)
show(lambda: d.decode("a\r"), lambda: d.decode("\nb\r\n"), lambda: d.newlines)
import tempfile, os
path = os.path.join(tempfile.mkdtemp(), "x")
with open(path, "wb") as f:
    show(lambda: isinstance(f, io.BufferedWriter), lambda: isinstance(f, io.BufferedReader), lambda: isinstance(f, io.IOBase))
with open(path, "w") as f:
    show(lambda: isinstance(f, io.TextIOWrapper), lambda: isinstance(f, io.TextIOBase))
with open(path, "a+", encoding="utf-16") as f:
    f.write("ab\n"); f.write("c\n"); f.seek(0)
    show(lambda: f.readlines(), lambda: f.mode, lambda: f.name == path)
with open(path, "a", encoding="utf-16") as f:
    f.write("d\n")
show(lambda: open(path, "rb").read(), lambda: open(path, encoding="utf-16").read())
class Log(io.BufferedReader):
    def read(self, n=-1):
        return super().read(n) + b"!"
show(lambda: Log(Raw(b"abc")).read(), lambda: isinstance(Log(Raw()), io.BufferedReader), lambda: isinstance(open(path, "rb"), Log))

"""Files without buffers, `raw` and `buffer`: one stream, whoever is used."""
import io
import os
import tempfile

path = os.path.join(tempfile.mkdtemp(), "f")
for args in (("wb",), ("wb", 0), ("rb", 0), ("rb",), ("r+b",), ("w",), ("r",), ("w+b",), ("ab",), ("a+b",)):
    with open(path, *args) as f:
        below = getattr(f, "buffer", None) or getattr(f, "raw", None)
        print(args, type(f).__name__, repr(f).replace(path, "P"), type(below).__name__, f.mode, getattr(below, "mode", None))

with open(path, "w") as f:
    f.write("first\n")
    f.flush()
    f.buffer.write(b"second\n")
    f.buffer.flush()
    f.write("third\n")
    print(f.buffer is f.buffer, f.buffer.raw is f.buffer.raw, f.buffer.name == path, f.buffer.writable(), f.buffer.readable())
print(f.closed, f.buffer.closed)
print(open(path).read())
with open(path, "rb") as f:
    print(f.readline(), f.raw.readable(), f.raw.fileno() == f.fileno())
print(f.raw.closed, repr(f.raw).replace(path, "P"))

raw = io.FileIO(path, "w")
print(raw.write(b"abc"), raw.mode, raw.closefd, raw.readable(), raw.writable(), raw.seekable(), isinstance(raw, io.RawIOBase))
raw.close()
try:
    raw.write(b"x")
except ValueError as e:
    print("closed")
raw = io.FileIO(path)
print(raw.read(), raw.seek(1), raw.readall(), raw.tell(), raw.read(5))
fd = raw.fileno()
again = io.FileIO(fd, closefd=False)
again.seek(0)
room = bytearray(2)
print(again.readinto(room), room, repr(again).split(" name")[0], again.closefd)
again.close()
print(raw.tell())
reader = io.BufferedReader(raw)
print(reader.seek(0), reader.peek(2)[:2], reader.read(2), reader.detach() is raw)
raw.close()


class Counting(io.FileIO):
    def write(self, data):
        print("write", bytes(data))
        return super().write(data)


with Counting(path, "wb") as f:
    print(type(f).__name__, f.write(b"12"))
print(open(path, "rb").read())
for bad in (("x", "q"), (path, "rw"), (-1,)):
    try:
        io.FileIO(*bad)
    except (ValueError, OSError) as e:
        print(type(e).__name__)

wrapped = io.BytesIO()
text = io.TextIOWrapper(wrapped, encoding="utf-8", write_through=True)
text.write("é")
print(wrapped.getvalue(), text.buffer is wrapped)
print(text.detach() is wrapped, wrapped.getvalue())
t = open(path, "r")
b = t.detach()
print(type(b).__name__, b.read())
b.close()
print(io.StringIO("x"), io.BytesIO(b"x")) if False else print(repr(io.StringIO()).split(" at ")[0], repr(io.BytesIO()).split(" at ")[0])

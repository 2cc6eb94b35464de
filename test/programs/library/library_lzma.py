"""LZMA: whole, in pieces, files, and what is none."""
import io, lzma, os, tempfile

def show(*fs):
    for f in fs:
        try: r = f()
        except Exception as e: r = (type(e).__name__, str(e))
        print(repr(r))

data = b"hello world " * 500 + bytes(range(256)) * 20
for kw in ({}, {"format": lzma.FORMAT_ALONE}, {"check": lzma.CHECK_SHA256}, {"check": lzma.CHECK_NONE, "preset": 0}, {"preset": 9 | lzma.PRESET_EXTREME}):
    packed = lzma.compress(data, **kw)
    show(lambda: lzma.decompress(packed) == data, lambda: len(packed) < len(data) // 4, lambda: packed[:6])
show(lambda: lzma.decompress(b"nonsense, really nonsense"), lambda: lzma.decompress(packed[:-5]), lambda: lzma.decompress(packed + packed) == data + data,
     lambda: lzma.decompress(packed + b"junk") == data, lambda: lzma.decompress(packed, format=lzma.FORMAT_ALONE), lambda: lzma.decompress(b""), lambda: lzma.is_check_supported(4))
d = lzma.LZMADecompressor()
parts = [d.decompress(packed[i:i + 7]) for i in range(0, len(packed), 7)]
show(lambda: b"".join(parts) == data, lambda: d.eof, lambda: d.unused_data, lambda: d.decompress(b"x"))
d = lzma.LZMADecompressor()
got = d.decompress(packed + b"rest", max_length=100)
show(lambda: (len(got), d.eof, d.needs_input))
while not d.eof:
    got += d.decompress(b"", max_length=1000)
show(lambda: got == data, lambda: d.unused_data)
c = lzma.LZMACompressor()
made = b"".join(c.compress(data[i:i + 100]) for i in range(0, len(data), 100)) + c.flush()
show(lambda: lzma.decompress(made) == data, lambda: c.compress(b""), lambda: c.flush(), lambda: lzma.LZMACompressor(format=9), lambda: lzma.LZMACompressor(preset=77))
path = os.path.join(tempfile.mkdtemp(), "f.xz")
with lzma.open(path, "wb") as f:
    show(lambda: f.write(b"line 1\nline 2\n"), lambda: f.tell(), lambda: f.readable(), lambda: f.writable())
with lzma.open(path, "at", encoding="utf-8") as f:
    f.write("é\n")
with lzma.open(path) as f:
    show(lambda: f.readline(), lambda: f.read(3), lambda: f.tell(), lambda: f.seek(0), lambda: f.read(), lambda: f.seek(7), lambda: f.readlines(), lambda: f.peek(), lambda: f.closed)
show(lambda: f.closed, lambda: f.read(), lambda: lzma.open(path, "rt", encoding="utf-8").read(), lambda: list(lzma.open(path, "rt", encoding="utf-8")), lambda: lzma.open(path, "q"), lambda: lzma.open(path, "rb", encoding="x"), lambda: lzma.LZMAFile(3))
show(lambda: lzma.LZMAFile(io.BytesIO(packed)).read() == data, lambda: issubclass(lzma.LZMAError, Exception))

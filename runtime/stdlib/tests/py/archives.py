# gzip, zlib, zipfile, tarfile.
import gzip, zlib, zipfile, tarfile, io, os, tempfile, struct
def show(f, *a, **k):
    try:
        print(repr(f(*a, **k)))
    except Exception as e:
        print(type(e).__name__, e)
data = b"hello world " * 1000 + bytes(range(256))
for level in (0, 1, 6, 9): assert zlib.decompress(zlib.compress(data, level)) == data
print(zlib.crc32(b"abc"), zlib.adler32(b"abc"), zlib.decompress(bytes.fromhex("789c4b4c4a0600024d0127"))); show(zlib.decompress, b"nonsense"); show(zlib.decompress, zlib.compress(data)[:50])
d = zlib.decompressobj(); c = zlib.compress(data) + b"rest"; print(d.decompress(c[:-20])[:5], len(d.decompress(c[-20:])) > 0, d.unused_data, d.eof)
assert gzip.decompress(gzip.compress(data)) == data; show(gzip.decompress, b"xx"); print(gzip.decompress(bytes.fromhex("1f8b08000000000002ff4b4c4a0600c241243503000000")))
tmp = tempfile.mkdtemp(); fn = os.path.join(tmp, "a.gz")
with gzip.open(fn, "wb") as f: f.write(struct.pack(">II", 2051, 3) + b"pixels")
with gzip.open(fn) as f: print(struct.unpack(">II", f.read(8)), f.read(), f.read())
with gzip.open(fn, "wt") as f: f.write("line 1\nline é\n")
with gzip.open(fn, "rt") as f: print(list(f))
with gzip.open(fn, "rt", encoding="utf-8") as f: print(f.readline())
with open(fn, "rb") as raw: print(gzip.GzipFile(fileobj=raw).read())
zn = os.path.join(tmp, "a.zip")
with zipfile.ZipFile(zn, "w", zipfile.ZIP_DEFLATED) as z:
    z.writestr("d/one.txt", "first" * 100); z.writestr("two.bin", b"\x00\x01"); z.write(fn, "packed.gz")
with zipfile.ZipFile(zn) as z:
    print(z.namelist(), z.read("two.bin"), z.getinfo("d/one.txt").file_size, z.testzip(), z.open("d/one.txt").read(5)); z.extractall(os.path.join(tmp, "out")); show(z.read, "nope")
with zipfile.ZipFile(zn, "a") as z: z.writestr("three", "3")
print(zipfile.ZipFile(zn).namelist(), zipfile.is_zipfile(zn), zipfile.is_zipfile(fn), open(os.path.join(tmp, "out", "d", "one.txt")).read(5)); show(zipfile.ZipFile, fn); show(zipfile.ZipFile, zn, "q")
for mode, name in (("w", "a.tar"), ("w:gz", "a.tgz")):
    tn = os.path.join(tmp, name)
    with tarfile.open(tn, mode) as t: t.add(os.path.join(tmp, "out"), "base"); ti = tarfile.TarInfo("mem"); ti.size = 3; t.addfile(ti, io.BytesIO(b"abc"))
    with tarfile.open(tn) as t: print(t.getnames(), t.extractfile("mem").read(), t.getmember("base").isdir(), [m.size for m in t if m.isfile()][-1]); t.extractall(os.path.join(tmp, "x" + mode[-2:]))
    print(sorted(os.listdir(os.path.join(tmp, "x" + mode[-2:]))), tarfile.is_tarfile(tn), tarfile.is_tarfile(zn))

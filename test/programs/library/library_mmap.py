# mmap: files and anonymous memory as bytes, views of them, and what is refused.
import mmap
import os
import tempfile


def attempt(f, *args, **kwargs):
    try:
        print(f(*args, **kwargs))
    except Exception as e:
        print(type(e).__name__, e)


m = mmap.mmap(-1, 20)
print(m, len(m), m.closed, m.tell(), m[:5], m[0])
print(m.write(b"hello world"), m.tell(), m[:11], m[-9:], m[0:11:2], m[10::-1])
m[0] = ord("J")
m[6:11] = b"World"
m[0:10:3] = b"1234"
print(m[:11], m.find(b"o"), m.find(b"o", 0), m.find(b"o", 5, 8), m.rfind(b"l", 0), m.find(b"zz", 0), m.find(b"", 3), m.rfind(b"", 3), m.find(b"1", -30))
m.seek(0)
print(m.read(3), m.read_byte(), m.readline(), m.read(), m.read(5))
m.seek(-3, 2)
print(m.tell(), m.seek(1, 1), m.tell())
attempt(m.seek, 100)
attempt(m.seek, -1)
attempt(m.seek, 0, 9)
attempt(m.write, b"toolong")
attempt(m.write_byte, 256)
m.write_byte(65)
attempt(m.write_byte, 66)
attempt(m.write_byte, 67)
attempt(m.read_byte)
attempt(lambda: m[20])
attempt(lambda: m["a"])
attempt(m.__setitem__, 0, 300)
attempt(m.__setitem__, 0, "x")
attempt(m.__setitem__, slice(0, 3), b"x")
attempt(m.__delitem__, 0)
attempt(m.__delitem__, slice(0, 1))
m.move(0, 6, 5)
print(m[:12], list(m)[:3], 87 in m)
attempt(m.move, 0, 18, 5)
view = memoryview(m)
print(view.nbytes, view.readonly, view.format, bytes(view[6:11]))
view[6:11] = b"WORLD"
print(m[6:11], bytes(m)[:11], bytearray(m)[6:8], b"".join([m[:2], b"-"]))
attempt(m.close)
attempt(m.resize, 40)
view.release()
m.resize(40)
print(len(m), m[6:11])
attempt(m.size)
print(m.flush(), m.madvise(mmap.MADV_NORMAL))
attempt(m.flush, 0, 100)
m.close()
m.close()
print(m, m.closed)
attempt(len, m)
attempt(m.read)
attempt(mmap.mmap, -1, -1)
attempt(mmap.mmap, -1, 0)
attempt(mmap.mmap, -1, 10, access=9)
attempt(mmap.mmap, -1, 10, access=mmap.ACCESS_READ, flags=mmap.MAP_SHARED)
attempt(mmap.mmap, -1, 10, offset=-1)
attempt(mmap.mmap, "x", 10)

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "data")
    open(path, "wb").close()
    with open(path, "r+b") as f:
        attempt(mmap.mmap, f.fileno(), 0)
        f.write(b"line one\nline two\nthree")
        f.flush()
        attempt(mmap.mmap, f.fileno(), 1000)
        attempt(mmap.mmap, f.fileno(), 0, offset=mmap.PAGESIZE)
        with mmap.mmap(f.fileno(), 0) as m:
            print(m, m.size())
            print(list(iter(m.readline, b"")))
            m[0:4] = b"LINE"
            m.flush()
            f.seek(0)
            print(f.read(8))
            m.resize(30)
            print(len(m), os.path.getsize(path), m[20:])
        with mmap.mmap(f.fileno(), 10, access=mmap.ACCESS_READ) as m:
            print(m, m[:], memoryview(m).readonly, hash(m[:4]) == hash(b"LINE"))
            attempt(m.write, b"x")
            attempt(m.__setitem__, 0, 1)
            attempt(m.resize, 5)
            print(m.flush())
        with mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_COPY) as m:
            m[:4] = b"copy"
            print(m, m[:8])
            attempt(m.resize, 5)
        with mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ) as m:
            print(m)
            attempt(m.write_byte, 1)
        f.seek(0)
        print(f.read(8))
        import re
        with mmap.mmap(f.fileno(), 0) as m:
            print(re.findall(rb"line \w+", bytes(m)), re.search(rb"two", m).span())
            out = bytearray(4)
            print(m.read(4), int.from_bytes(m[:2], "little"))
    with open(path, "rb") as f:
        attempt(mmap.mmap, f.fileno(), 0)


class Named(mmap.mmap):
    def first(self):
        return self[:3]


n = Named(-1, 10)
n.write(b"abc")
n.extra = 1
print(n.first(), n.extra, type(n).__name__, isinstance(n, mmap.mmap))
pid = os.fork()
if pid == 0:
    n[0:3] = b"kid"
    os._exit(0)
os.waitpid(pid, 0)
print(n[:3])
print(mmap.ACCESS_READ, mmap.ACCESS_WRITE, mmap.ACCESS_COPY, mmap.ACCESS_DEFAULT, mmap.PAGESIZE == mmap.ALLOCATIONGRANULARITY, mmap.error is OSError)

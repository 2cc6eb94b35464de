# Compressed data a piece at a time, archives, and what is let out of them.
import gzip
import io
import os
import shutil
import tarfile
import tempfile
import zipfile
import zlib

text = b"".join(b"line %d of a text that repeats itself\n" % i for i in range(4000))

compressor = zlib.compressobj(6)
packed = b"".join(compressor.compress(text[at:at + 1000]) for at in range(0, len(text), 1000)) + compressor.flush()
print(len(packed) < len(text) // 5, zlib.decompress(packed) == text)

unpacker = zlib.decompressobj()
out, rest = b"", packed + b"after"
sizes = set()
while not unpacker.eof:
    piece = unpacker.decompress(rest, 512)
    sizes.add(len(piece) <= 512)
    out += piece
    rest = unpacker.unconsumed_tail
print(out == text, sizes, unpacker.unused_data)

for wbits in (15, -15, 31, 9, -9, 25):
    c = zlib.compressobj(9, zlib.DEFLATED, wbits)
    made = c.compress(text) + c.flush()
    d = zlib.decompressobj(47 if wbits > 0 else wbits)
    print(wbits, d.decompress(made) + d.flush() == text, made[:2].hex() if wbits > 25 else "")

sync = zlib.compressobj()
first = sync.compress(b"first") + sync.flush(zlib.Z_SYNC_FLUSH)
print(zlib.decompressobj().decompress(first))

words = b"line of a text that repeats itself"
c = zlib.compressobj(zdict=words)
made = c.compress(words) + c.flush()
print(len(made) < 20, zlib.decompressobj(zdict=words).decompress(made) == words)
for what in (lambda: zlib.decompressobj().decompress(made), lambda: zlib.decompress(packed[:-3]),
             lambda: zlib.decompress(b"none"), lambda: zlib.compress(b"", 11), lambda: zlib.compressobj(wbits=3),
             lambda: zlib.decompressobj().decompress(b"", -1), lambda: zlib.decompressobj().flush(0)):
    try:
        print(what())
    except (zlib.error, ValueError) as error:
        print(type(error).__name__, error)

folder = tempfile.mkdtemp()
os.chdir(folder)
with gzip.open("a.gz", "wb") as file:
    file.write(text)
with gzip.open("a.gz", "ab") as file:
    file.write(b"end\n")
with gzip.open("a.gz", "rt") as file:
    lines = file.readlines()
print(len(lines), lines[-1], end="")
with gzip.GzipFile("a.gz") as file:
    print(file.seek(100), file.read(20), file.peek(3)[:3], file.tell())

with zipfile.ZipFile("a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr("text.txt", text)
    archive.mkdir("inside")
    archive.writestr("inside/b.txt", "b")
    with archive.open("inside/c.bin", "w") as file:
        file.write(bytes(range(256)))
with zipfile.ZipFile("a.zip") as archive:
    print(archive.namelist(), archive.testzip(), archive.read("text.txt") == text)
    with archive.open("inside/c.bin") as file:
        print(file.read(3), file.read1(3), file.seek(250), file.read())
    print([p.name for p in zipfile.Path(archive, "inside/").iterdir()])

with open("plain.txt", "w") as file:
    file.write("plain")
os.utime("plain.txt", (1000000000, 1000000001.5))
print(os.stat("plain.txt").st_mtime, os.stat("plain.txt").st_atime_ns)
os.utime("plain.txt", ns=(5, 7))
print(os.stat("plain.txt").st_mtime_ns)
with tarfile.open("a.tar.gz", "w:gz") as archive:
    archive.add("plain.txt", "kept/plain.txt")
    for name in ("../outside.txt", "/absolute.txt"):
        info = tarfile.TarInfo(name)
        info.size = 3
        archive.addfile(info, io.BytesIO(b"bad"))
    link = tarfile.TarInfo("kept/link")
    link.type, link.linkname = tarfile.SYMTYPE, "../../far"
    archive.addfile(link)
with tarfile.open("a.tar.gz") as archive:
    for member in archive:
        try:
            archive.extract(member, "to", filter="data")
            print("extracted", member.name)
        except tarfile.FilterError as error:
            print(type(error).__name__, member.name)
print(sorted(os.path.relpath(os.path.join(top, name), "to") for top, _, names in os.walk("to") for name in names))
os.utime("to/kept/plain.txt")
print(shutil.make_archive("made", "zip", "to/kept") == os.path.join(folder, "made.zip") or "made")
shutil.unpack_archive("made.zip", "again")
print(sorted(os.listdir("again")))
with open("numbers", "w+b") as file:
    file.write(b"0123456789")
    file.flush()
    print(os.pread(file.fileno(), 3, 4), os.pwrite(file.fileno(), b"x", 0), os.pread(file.fileno(), 2, 0))
    os.truncate("numbers", 5)
    print(os.path.getsize("numbers"))
pid = os.fork()
if pid == 0:
    os.execv("/bin/sh", ["sh", "-c", "exit 7"])
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), os.spawnlp(os.P_WAIT, "sh", "sh", "-c", "exit 3"))
os.chdir("/")
shutil.rmtree(folder)
print(os.path.exists(folder))

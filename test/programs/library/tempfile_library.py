import tempfile, os
with tempfile.TemporaryDirectory() as d:
    print(os.path.isdir(d))
    with tempfile.NamedTemporaryFile("w+", dir=d, suffix=".x", delete=False) as f:
        f.write("hi"); f.flush(); f.seek(0); print(f.read(), f.name.endswith(".x"))
    print(os.path.exists(f.name))
with tempfile.TemporaryFile() as f: f.write(b"z"); f.seek(0); print(f.read())
with tempfile.SpooledTemporaryFile(max_size=4) as f: f.write(b"abcdef"); f.seek(0); print(f.read())
fd, p = tempfile.mkstemp(); os.write(fd, b"q"); os.close(fd); print(open(p).read()); os.unlink(p)
print(os.path.isdir(tempfile.gettempdir()))
f = tempfile.NamedTemporaryFile(); n = f.name; print(os.path.exists(n)); f.close(); print(os.path.exists(n))

"""Arrays in files: .npy, text, raw bytes."""

import io
import os
import pickle
import tempfile
import numpy as np

folder = tempfile.mkdtemp()
path = os.path.join(folder, "a.npy")
for a in (np.arange(6).reshape(2, 3), np.array([1.5, -2], dtype=np.float32), np.zeros((0, 2)), np.array([True, False]), np.array(3)):
    np.save(path, a)
    b = np.load(path)
    print(repr(b), b.shape, os.path.getsize(path))
np.save(os.path.join(folder, "b"), np.arange(3))
print(sorted(os.listdir(folder)))
buffer = io.BytesIO()
np.save(buffer, np.arange(4.0))
buffer.seek(0)
print(np.load(buffer), len(buffer.getvalue()))

text = os.path.join(folder, "a.txt")
np.savetxt(text, np.array([[1.0, 2.5], [3.25, 4]]), fmt="%.3f", delimiter=",", header="x,y")
print(open(text).read())
print(np.loadtxt(text, delimiter=","), np.loadtxt(text, delimiter=",", usecols=1), np.loadtxt(io.StringIO("1 2\n3 4"), dtype=int))
print(np.genfromtxt(io.StringIO("1,2,\n4,,6"), delimiter=","), np.fromstring("1 2 3", sep=" "))
raw = os.path.join(folder, "raw")
with open(raw, "wb") as f:
    f.write(bytes(range(16)))
print(np.fromfile(raw, dtype=np.uint8), np.fromfile(raw, dtype=np.int32), np.frombuffer(b"\x00\x01\x02\x03", np.uint8, offset=1))
for what in (lambda: np.loadtxt(io.StringIO("1 x")), lambda: np.load(os.path.join(folder, "missing.npy"))):
    try:
        what()
    except (ValueError, OSError) as error:
        print(type(error).__name__)

archive = os.path.join(folder, "several")
np.savez(archive, np.arange(3), weights=np.ones((2, 2), dtype=np.float32))
np.savez_compressed(os.path.join(folder, "packed.npz"), a=np.zeros(1000), b=np.array([1, 2]))
with np.load(archive + ".npz") as data:
    print(data.files, sorted(data.keys()), data["arr_0"], data["weights"], "weights" in data, len(data))
packed = np.load(os.path.join(folder, "packed.npz"))
print(packed["a"].sum(), packed["b"], {name: a.shape for name, a in packed.items()})
try:
    packed["c"]
except KeyError as error:
    print(error)

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "files", "arrays.pkl"), "rb") as f:
    print(pickle.load(f))
again = pickle.loads(pickle.dumps([np.arange(4.0)[1:3], np.float32(2.5), np.array(True), np.dtype("uint8"), np.ones((2, 2), dtype=np.int8)]))
print(again, again[0].dtype)

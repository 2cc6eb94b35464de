"""Unsigned ints that tensors do not have, and files of them that are mapped."""

import os
import tempfile

import numpy as np


def attempt(what):
    try:
        print(repr(what()))
    except Exception as error:
        print(type(error).__name__, error)


a = np.array([1, 2, 65535], dtype=np.uint16)
print(a, repr(a), a.dtype, a.itemsize, a.nbytes, a.astype(np.int64) + 1, a[2], type(a[2]), a[:2], a > 1, a.max(), a.tolist())
a[0] = 7
a[1:] = [8, 9]
print(a, a.copy(), a.reshape(3, 1), int(a[0]) + 1, [10] * a[0], a.tobytes(), np.zeros(2, dtype=np.uint32), a.mean())
for what in (
    lambda: np.array([70000], dtype=np.uint16), lambda: np.array([300], dtype=np.uint8),
    lambda: np.array([-1], dtype="uint32"), lambda: np.array([70000, -1]).astype(np.uint16),
    lambda: a.__setitem__(0, 70000), lambda: a.dtype == np.uint16,
    lambda: np.frombuffer(b"\x01\x02\xff\xff", dtype="<u2"), lambda: np.dtype("uint64").itemsize,
    lambda: np.iinfo(np.uint16).max, lambda: np.uint16(5) == 5, lambda: np.uint16(70000), lambda: list(a),
    lambda: np.issubdtype(a.dtype, np.unsignedinteger),
):
    attempt(what)

folder = tempfile.mkdtemp()
path = os.path.join(folder, "tokens.bin")
np.arange(70000, 70100).astype(np.uint16).tofile(path)
data = np.memmap(path, dtype=np.uint16, mode="r")
print(len(data), data.shape, data.dtype, data[3], data[-1], data[5:9].astype(np.int64), np.array(data[:3]), os.path.getsize(path))
print(np.fromfile(path, dtype=np.uint16)[:4], np.stack([data[i : i + 4].astype(np.int64) for i in (0, 10)]))
out = np.memmap(os.path.join(folder, "out.bin"), dtype=np.uint16, mode="w+", shape=(10,))
out[2:5] = [1, 2, 3]
out[9] = 65535
out.flush()
print(np.fromfile(os.path.join(folder, "out.bin"), dtype=np.uint16))
np.save(os.path.join(folder, "a.npy"), a)
print(repr(np.load(os.path.join(folder, "a.npy"))))
rows = np.memmap(path, dtype=np.uint16, mode="r", shape=(10, 10))
print(rows[2], rows[1:3, 4], rows[0, 0], rows.ndim)
for what in (lambda: data.__setitem__(0, 1), lambda: np.memmap(path, mode="x"), lambda: np.memmap(path, dtype=np.int64, mode="r", shape=(1000,)), lambda: data[1000]):
    try:
        what()
    except (ValueError, IndexError) as error:
        print(type(error).__name__)

# Arrays in files: read, written, with methods and operators.
import numpy as np, os, tempfile
p = os.path.join(tempfile.mkdtemp(), 'x.dat')
m = np.memmap(p, dtype='float32', mode='w+', shape=(4, 3)); m[:] = np.arange(12).reshape(4, 3); m[1, 2] = 99; m.flush(); del m
r = np.memmap(p, dtype='float32', mode='r', shape=(4, 3)); print(r, r.shape, type(r).__name__, r[1].sum(), r.filename == p or os.path.basename(str(r.filename)), r.mode, r.offset); w = np.memmap(p, dtype='float32', mode='r+', offset=12); w[0] = -1; w.flush(); print(np.memmap(p, dtype='float32', mode='r')[:5], np.fromfile(p, dtype='float32')[:4], os.path.getsize(p))
np.arange(20, dtype=np.uint16).tofile(p); d = np.memmap(p, dtype=np.uint16, mode='r'); print(len(d), d[3:6].astype(np.int64), d.dtype)
np.save(p + '.npy', np.arange(6).reshape(2, 3)); q = np.load(p + '.npy', mmap_mode='r'); print(q, type(q).__name__, q[1])
c = np.memmap(p, dtype=np.uint16, mode="c"); c[0] = 7; print(c[0], d[0], d[1:3].astype(int), d.sum(), (d[:4] == 2).sum())
f = np.memmap(p, dtype="int16", mode="w+", shape=(3, 4)); f[:, 1] = 5; f[1] += 2; f[np.array([0, 2]), 3] = 8; f[-1, 0] = 4; print(f, f.sum(), f.mean(axis=0), f.max(), f + 1, f * f, f.T.shape, f.reshape(-1)[:3], f.astype(float)[0], np.mean(f), np.array(f).sum(), f[1:, ::2], f[f > 5], f == 5, len(f), f.ndim, f.size, f.nbytes, sep="\n")
try: r[0] = 1
except Exception as e: print(type(e).__name__, e)

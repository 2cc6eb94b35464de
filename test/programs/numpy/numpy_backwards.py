# Slices of arrays that go backwards are views: what is written through them, and through what they show, is seen by both.
import numpy as np
import torch


def both(f):
    for i in range(5):
        print(*f(), sep=" | ")


def plain():
    a = np.arange(6.0)
    b = a[::-1]
    a[0] = 100.0
    b[0] = -1.0
    b[1:3][0] = 7.0
    b[1:] += 10
    c = b[::-1]
    c[2] *= 2
    return a, b, c, b.strides, c.strides, np.shares_memory(a, b)


def twod():
    a = np.arange(12).reshape(3, 4)
    v = a[::-1, ::-2]
    v[0] = -5
    w = a[:, ::-1]
    w[:, 0] += 100
    w[w > 105] = 0
    x = np.flip(a)
    x[0, 0] = 77
    y = np.flipud(a)
    y[1][2] = 55
    z = a[::-1].T
    z[0, 0] = 44
    return a, v, w.sum(axis=0), x.sum(axis=1), (a @ w.T)[0], w.reshape(-1), z.ravel(), np.fliplr(a)[0]


def swaps():
    a = np.arange(5)
    a[:] = a[::-1]
    b = np.arange(5)
    b += b[::-1]
    c = np.arange(8)
    c[1:] = c[:-1]
    d = np.arange(8)
    d[::-1][:4] = d[4:]
    e = np.arange(6)
    e[::2], e[1::2] = e[1::2].copy(), e[::2].copy()
    return a, b, c, d, e


def rows():
    a = np.zeros((3, 2))
    for i, row in enumerate(a[::-1]):
        row += i
        row[::-1][0] = 9
    return (a,)


def indexed():
    a = np.arange(12).reshape(3, 4)
    b = a[[0, 1], ::-1]
    b[0, 0] = 1000
    a[[0, 2], ::-1] = np.arange(4)
    a[::-1, [1, 2]] += 50
    c = a[::-1, None, ::-3]
    c[0, 0] = 8
    d = a[..., ::-1]
    d[..., 0] = 3
    return a, b, c.shape, d[0], a[2:0:-1], a[5::-1][0], a[::-1][3:], a[0:2:-1].shape


def functions():
    a = np.array([3.0, 1.0, 2.0, 5.0])
    r = a[::-1]
    return (r.argmax(), r.argsort(), np.sort(r), np.cumsum(r), np.dot(r, a), np.outer(r, a)[0], r.mean(), r.std(), r.take([0, 1]),
            np.concatenate([r, a]), np.where(r > 2, r, a), np.convolve(a, r), np.interp(1.5, np.arange(4), r), r.tolist(), r.copy().strides,
            np.linalg.norm(r), np.maximum(r, a), np.searchsorted(np.array([5.0, 3, 1])[::-1], 2.0), r.tobytes() == r.copy().tobytes(), r.astype(int), np.diff(r), r.dot(r))


def torches():
    a = np.arange(4.0)
    out = []
    for f in (torch.from_numpy, torch.tensor, torch.as_tensor):
        try:
            out.append(f(a[::-1]).tolist())
        except ValueError as e:
            out.append(str(e)[:30])
    out.append(torch.from_numpy(a[::-1].copy()).tolist())
    out.append(torch.from_numpy(a[::-1][::-1]).tolist())
    t = torch.arange(4.0)
    n = t.numpy()[::-1]
    n[0] = 50
    t[0] = 20
    out.append((t.tolist(), n.tolist()))
    return out


def returns(rewards):
    g, out = 0.0, np.zeros(len(rewards))
    back = out[::-1]
    for i, r in enumerate(rewards[::-1]):
        g = r + 0.9 * g
        back[i] = g
    return torch.tensor(out).sum(), out.round(3)


both(plain)
both(twod)
both(swaps)
both(rows)
both(indexed)
both(functions)
both(torches)
both(lambda: returns(np.array([1.0, 0.0, 2.0])))

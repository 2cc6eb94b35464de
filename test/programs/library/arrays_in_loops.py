from array import array
import struct
def fill(code, values, n):
    a = array(code, [0] * len(values))
    for k in range(n):
        for i in range(len(values)):
            a[i] = values[i]
            a[-1 - i] = a[i]
    return a
for code in 'bBhHiIlLqQfd':
    vals = [1.5, -2.25, 1e300 if code == 'd' else 7.0] if code in 'fd' else [1, 0, 100] if code.isupper() else [-1, 5, -100]
    print(code, fill(code, vals, 300).tolist())
def errors(a, i, v):
    try: a[i] = v; return a[i]
    except Exception as e: return type(e).__name__, str(e)
for code, vs in (('b', (127, 128, -128, -129, 1.0, 'a', True)), ('B', (255, 256, -1)), ('H', (65535, 65536, -1)), ('i', (2**31 - 1, 2**31, -2**31, -2**31 - 1)), ('I', (2**32 - 1, 2**32, -1)), ('q', (2**63 - 1, 2**63, -2**63)), ('Q', (2**64 - 1, 2**64, 5, -1)), ('d', (1, 2**70, True, 'x', None)), ('f', (1e39, 1, 0.1))):
    a = array(code, [0, 0])
    print(code, [errors(a, k % 2, v) for k, v in enumerate(vs)], errors(a, 2, 1), errors(a, -3, 1), errors(a, 2**62, 1), errors(a, 1.0, 1), errors(a, True, 1))
u = array('u', 'héy'); print(u[1], u[-1], u.tolist()); u[0] = 'x'; print(u)
class Sub(array):
    def __getitem__(self, i): return ('got', super().__getitem__(i))
    def __setitem__(self, i, v): super().__setitem__(i, v + 1)
s = Sub('i', [1, 2, 3])
def use(x, n):
    t = 0
    for k in range(n):
        x[k % 3] = k
        t += x[k % 3][1] if isinstance(x[0], tuple) else x[k % 3]
    return t
print(use(s, 600), use(array('i', [0, 0, 0]), 600), use([0, 0, 0], 600), use(bytearray(3), 250))
class Plain(array): pass
print(use(Plain('q', [0, 0, 0]), 600))
b = bytearray(b'hello'); m = memoryview(b); v = memoryview(array('i', [1, 2]))
def caesar(b, n):
    for k in range(n):
        for i in range(len(b)):
            b[i] = (b[i] + k) % 256
    return bytes(b)
print(caesar(b, 300), m[0], bytes(m))
def xor(a, b): return bytes(x ^ y for x, y in zip(a, b))
for _ in range(200): r = xor(b'abcdef', b'ghijkl')
print(r, [b'abc'[i] for i in (-1, 0, 2)])
for bad in ((b'ab', 2), (bytearray(b'ab'), -3), (b'ab', 'a')):
    try: print(bad[0][bad[1]])
    except Exception as e: print(type(e).__name__, e)
for v in (256, -1, 1.0, 'a'):
    try: b[0] = v
    except Exception as e: print(type(e).__name__, e)
try: b'ab'[0] = 1
except TypeError as e: print(e)
a = array('d', range(6)); w = memoryview(a); w[2] = 9.5; print(a[2], a[1:3], a[::-2]); a[0:2] = array('d', [7, 8]); print(a)
class AL:
    def __init__(self, n): self.data = [array('d', [0]) * n for y in range(n)]
    def __getitem__(self, idx):
        if isinstance(idx, tuple): return self.data[idx[1]][idx[0]]
        return self.data[idx]
    def __setitem__(self, idx, val):
        if isinstance(idx, tuple): self.data[idx[1]][idx[0]] = val
        else: self.data[idx] = val
def f(A, n):
    for i in range(n):
        for j in range(n):
            A[i][j] -= A[i][0] * A[0][j] - 1.5 + (A[j, i] > 3)
A = AL(9)
for _ in range(60): f(A, 9)
A[1, 2] = 3.0
print(sum(A[i, j] for i in range(9) for j in range(9)))

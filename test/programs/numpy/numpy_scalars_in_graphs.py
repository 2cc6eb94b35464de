"""NumPy's scalars, and other numbers of classes, in hot code with tensors."""
import numpy as np, torch, math

class Celsius(float):
    def __new__(cls, v): return super().__new__(cls, v)
    def __add__(self, o): return Celsius(float(self) + float(o))
    def __str__(self): return f"{float(self):.1f}C"

class Plain(float):
    pass

def attention(q, k, v, d_k):
    s = torch.matmul(q, k.transpose(-1, -2)) / np.sqrt(d_k)
    return torch.matmul(torch.softmax(s, -1), v)

torch.manual_seed(0)
q = torch.randn(2, 4, 8)
total = 0.0
for i in range(30):
    y = attention(q, q + i * 0.01, q, 8)
    total += y.sum().item()
print(round(total, 4))

def step(x, lr, w):
    a = np.float64(lr) * 0.5
    b = a + 1
    c = b / (lr + 1)
    d = -c
    return x * c + d, b, c

x = torch.ones(3)
for i in range(30):
    y, b, c = step(x, 0.1 * (i + 1), i)
print(y, type(b).__name__, b, c, repr(c), f"{c:.3f}", c == b, c < b, bool(c))

def temps(x, t):
    u = Celsius(t) + 2
    p = Plain(t) * 2
    return x * u + p, u, p, Plain(t + 1)

for i in range(30):
    y, u, p, z = temps(x, i * 0.5)
print(y, u, type(u).__name__, p, type(p).__name__, z, type(z).__name__, z + 1)

hist = []
def loop(x, lr):
    r = np.exp(-lr)
    hist.append(r)
    return (x * r).sum() + np.log(lr + 1) * 2 + r * x.sum()
for i in range(30):
    v = loop(x, 0.125 * i)
print(v, hist[-3:], type(hist[-1]).__name__)
sc = np.float64(0.25)
def g(x, s):
    if s > 0.2: x = x + s
    return x * s ** 2 - abs(s) + int(s * 10) + float(s)
for i in range(30):
    sc = sc * 1.01
    o = g(x, sc)
print(o, sc)
ints = np.arange(40)
def idx(x, n):
    return x[n % 3] + n * 2
for n in ints:
    o = idx(x, n)
print(o, type(o).__name__)
for n in range(30):
    o = np.sqrt(n) + np.sqrt(np.int64(n)) + np.square(n) + np.absolute(-n)
print(o, type(np.square(3)).__name__, type(np.sqrt(4)).__name__, np.sqrt(16), np.sqrt(True), np.exp(0), np.log(np.int32(8)))
def shown(x, t):
    m = np.float64(t) / 3
    print(f"{m:.2f}", m, "x=%.3f" % m)
    return x * m
for i in range(12):
    o = shown(x, i)
def data(x, v):
    s = np.float64(v) * 2
    made = torch.tensor(s), torch.tensor([s, s]), torch.as_tensor(s), torch.tensor(s, dtype=torch.float32)
    return [t.dtype for t in made], (x * s).dtype, x.new_tensor([s]).dtype, torch.full((2,), s).dtype, x[np.int64(0):np.int64(2)].shape
for i in range(20): r = data(torch.ones(3), i * 0.5)
print(r)

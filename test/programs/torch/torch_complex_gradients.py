# Gradients through complex numbers, by PyTorch's convention; printed so that noise and signs of zeros do not show.
import torch

def rounded(t):
    """Without noise, and without negative zeros."""
    if not t.is_complex():
        return [round(v, 4) + 0.0 for v in t.double().flatten().tolist()]
    return [complex(round(v.real, 4) + 0.0, round(v.imag, 4) + 0.0) for v in t.to(torch.complex128).flatten().tolist()]

def show(name, f, *xs, retain=False):
    xs = [(x.to(torch.complex128) if x.is_complex() else x.double()).requires_grad_() for x in xs]
    try:
        y = f(*xs)
        print(name, rounded(y.detach()), y.dtype, y.grad_fn.name().split('::')[-1])
        l = y.abs().square().sum() if y.is_complex() else y.sum()
        l.backward()
        for x in xs: print('   ', rounded(x.grad))
    except Exception as e:
        print(name, '!!', type(e).__name__, e)
z = torch.tensor([1+2j, 3-4j, -0.5j, 0.3+0.1j])
w = torch.tensor([2-1j, 0.5+0.25j, 1j, 1+1j])
r = torch.tensor([1.5, -2.0, 3.0, 0.25])
m = torch.tensor([[1+1j, 2], [0.5j, -1]])
show('mul', lambda a, b: a * b, z, w)
show('mulr', lambda a, b: a * b, z, r)
show('addr', lambda a, b: a + b, z, r)
show('div', lambda a, b: a / b, z, w)
show('divr', lambda a, b: a / b, r, w)
show('sub', lambda a, b: a - 2j * b, z, w)
for n in 'exp log sqrt rsqrt sin cos tan sinh cosh tanh asin acos atan asinh acosh atanh sigmoid log1p expm1 reciprocal square neg abs angle sgn conj sum mean prod cumsum var std log2 log10 exp2'.split():
    f = getattr(torch, n)
    show(n, (lambda a: f(a, 0)) if n == 'cumsum' else f, z)
show('pow2', lambda a: a ** 2, z)
show('pow3', lambda a: a ** 3, z)
show('pow1.5', lambda a: a ** 1.5, z)
show('powc', lambda a: a ** (1+1j), z)
show('pow', lambda a, b: a ** b, z, w)
show('rpow', lambda a: 2 ** a, z)
show('real', lambda a: a.real, z)
show('imag', lambda a: a.imag, z)
show('var', torch.view_as_real, z)
show('vac', lambda a: torch.view_as_complex(a.reshape(2, 2)), r)
show('complex', torch.complex, r, r)
show('polar', torch.polar, r.abs(), r)
show('matmul', lambda a: a @ a, m)
show('matmulH', lambda a: a @ a.mH, m)
show('mv', lambda a, b: a @ b, m, z[:2])
show('einsum', lambda a, b: torch.einsum('ij,kj->ik', a, b), m, m * 2j)
show('dot', torch.dot, z, w)
show('vdot', torch.vdot, z, w)
show('norm', torch.linalg.norm, z)
show('norm1', lambda a: torch.linalg.vector_norm(a, 1), z)
show('cat', lambda a, b: torch.cat([a, b]), z, w)
show('index', lambda a: a[torch.tensor([0, 0, 2])], z)
show('where', lambda a, b: torch.where(r > 0, a, b), z, w)
show('outer', torch.outer, z, w)
show('todouble', lambda a: a.to(torch.complex128), z)
show('zeros', torch.abs, torch.zeros(2, dtype=torch.complex64))
show('angle0', torch.angle, torch.zeros(2, dtype=torch.complex64))
show('sgn0', torch.sgn, torch.zeros(2, dtype=torch.complex64))
def inplace(a):
    b = a * 2
    b.real.mul_(3)
    return b
show('inplace', inplace, z)
def inplace2(a):
    b = a * 2
    b[0] = 1j
    b.imag = a.real
    return b
show('inplace2', inplace2, z)
# errors
x = z.clone().requires_grad_()
try: (x * 2).sum().backward()
except Exception as e: print(type(e).__name__, e)
(x * 2).sum().backward(torch.tensor(1+1j)); print(rounded(x.grad))
# second order
x = z.clone().to(torch.complex128).requires_grad_()
g, = torch.autograd.grad((x ** 3).abs().sum(), x, create_graph=True)
print(rounded(g.detach()))
print(rounded(torch.autograd.grad(g.abs().sum(), x)[0]))
# training
torch.manual_seed(0)
W = torch.nn.Parameter(torch.randn(3, 2, dtype=torch.cfloat))
opt = torch.optim.SGD([W], lr=0.05, momentum=0.9)
X = torch.randn(16, 3, dtype=torch.cfloat); Y = torch.randn(16, 2, dtype=torch.cfloat)
for i in range(20):
    loss = (X @ W - Y).abs().square().mean()
    opt.zero_grad(); loss.backward(); opt.step()
print(round(loss.item(), 4), rounded(W.detach()))

for make in (torch.optim.Adam, torch.optim.RMSprop, torch.optim.Adagrad, torch.optim.AdamW):
    torch.manual_seed(0)
    W = torch.nn.Parameter(torch.randn(3, 2, dtype=torch.cdouble))
    opt = make([W], lr=0.05)
    for i in range(8):
        loss = (X.to(torch.cdouble) @ W - Y).abs().square().mean()
        opt.zero_grad(); loss.backward(); opt.step()
    print(make.__name__, round(loss.item(), 5), rounded(W.detach()))

# Extents that come from elements, also where they are refused.
import torch
import torch.nn.functional as F
torch.manual_seed(0)
X = torch.arange(20.).reshape(4, 5)
def t(f, ks, reps=3):
    for rep in range(reps):
        for k in ks:
            try:
                r = f(X, torch.tensor(k)); r = [(tuple(v.shape), round(v.sum().item(), 3) + 0.0) if isinstance(v, torch.Tensor) else v for v in (r if isinstance(r, tuple) else (r,))]
            except Exception as e: r = type(e).__name__
            if rep == reps - 1: print(f.__name__, k, r)
def a(x, k): n = k.item(); return x[:n].sum(0), x[:, n:]
def b(x, k): n = int(k); return x.reshape(n, -1).sum(0), x.narrow(0, 0, n)
def c(x, k): y = x[x > k]; return y.reshape(2, -1), y.max(), y.view(-1, 1)
def d(x, k): n = k.item(); return F.conv1d(x[None, :, :n], torch.ones(2, 4, 2)), F.max_pool1d(x[None, :, :n], 2)
def e(x, k): n = k.item(); return torch.zeros(n, 2), torch.arange(n).float(), torch.ones(2, 3).expand(n, 2, 3)
def f(x, k): n = k.item(); return x.gather(0, torch.zeros(1, n, dtype=torch.int64)), x.index_select(1, torch.arange(n))
def g(x, k):
    n = k.item(); s = 0
    for i in range(n): s = s + x[i, :n].mean() * i
    return s, x[n - 1]
def h(x, k):
    n = k.item(); y = x.clone(); y[:n] += 1; y[n, 0] = 5; y[:, :n] = x[:, :n] * 2; return y
def i(x, k):
    n = k.item(); w = x.clone().requires_grad_(); (w[:n] ** 2).sum().backward(); return w.grad, w.grad[:n]
def j(x, k):
    n = k.item(); z = torch.cat([x[:n], x[n:]]); return z, torch.stack([x[0, :n], x[1, :n]]), x[:n].mean(), x[:n].std()
def k_(x, k):
    n = k.item(); return x[:n].max(), x[:, :n].argmax(1)
def l(x, k):
    n = k.item(); return x[:n] @ x.t()[:, :n], x[:n, :n].trace()
def m(x, k):
    i = (x > k).nonzero(); return x[i[:, 0], i[:, 1]].sum(), i[0], i.shape[0]
def n(x, k):
    v, c = torch.unique((x % (k.abs() + 1)).floor(), return_counts=True); return v.sum(), c[1].item(), c[:3]
def o(x, k):
    q = k.item(); return x[:q].unfold(0, 2, 1), x.split(q)[0], F.pad(x, (q, 0)), x.roll(q), x.repeat(q, 1)
def p(x, k):
    q = k.item(); return F.softmax(x[:q], 0).sum(1), F.layer_norm(x[:, :q], (q,)).abs() > 2, F.batch_norm(x[:q], None, None, training=True)
def q(x, k):
    r = k.item()
    while r > 0: x = x[:r]; r = r - 2
    return x, r
def r(x, k):
    idx = torch.tensor([0, 1, 1]) + k; return x[idx], x.index_select(0, idx.abs() % 4), F.embedding(idx, x)
def s(x, k):
    o = []
    for z in range(k.item()): o.append(x[z] * z)
    return torch.stack(o).sum(), torch.cat(o), len(o)
for fn in (a, b, c, d, e, f, g, h, i, j, k_, l, m, n, o, p, q, r, s): t(fn, (2, 3, 1, 4, 2, 3, 0, 5, 1, 2, 4, 6, 3, -1, 0, 10, -3, 2))

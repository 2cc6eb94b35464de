# create_graph and allow_unused: what is used, what has a graph, branches and loops around.
import torch
torch.manual_seed(0)
w = torch.randn(3, requires_grad=True); v = torch.randn(3, requires_grad=True)
def unused(x):
    loss = (w * x).sum()
    try:
        torch.autograd.grad(loss, [w, v], create_graph=True)
    except RuntimeError as e:
        return str(e)[:40]
def allow(x):
    loss = (w * w * x).sum()
    a, b = torch.autograd.grad(loss, [w, v], create_graph=True, allow_unused=True)
    return (a * a).sum().item(), b
def inplace(x):
    y = w * x
    z = y.exp()
    (g,) = torch.autograd.grad(z.sum(), y, create_graph=True)
    h = (g * 2).sum()
    h.backward()
    r = w.grad.clone(); w.grad = None
    return r
def cond(x, flag):
    y = w * w if flag else w * 3
    (g,) = torch.autograd.grad((y * x).sum(), w, create_graph=True)
    if g.requires_grad:
        (k,) = torch.autograd.grad(g.sum(), w)
        return k
    return g
def tens(x):
    y = w * w if x.sum() > 0 else w * 3
    (g,) = torch.autograd.grad((y * x).sum(), w, create_graph=True)
    return g.requires_grad, g.detach()
def loop(x, n):
    h = w
    for i in range(n):
        h = torch.sin(h * x)
    (g,) = torch.autograd.grad(h.sum(), w, create_graph=True)
    (g * g).sum().backward()
    r = w.grad.clone(); w.grad = None
    return r
def index(x):
    y = w[1:] * w[:-1]
    t = torch.stack([y, y * 2]).max(0).values + w.sort().values[:2]
    (g,) = torch.autograd.grad((t ** 2).sum(), w, create_graph=True)
    (g ** 2).sum().backward()
    r = w.grad.clone(); w.grad = None
    return r
def sm(x):
    l = torch.nn.functional.cross_entropy((w * v * x).view(1, 3), torch.tensor([1]))
    gs = torch.autograd.grad(l, (w, v), create_graph=True)
    sum((g ** 2).sum() for g in gs).backward()
    r = w.grad.clone(), v.grad.clone(); w.grad = None; v.grad = None
    return r
def p(t): return [round(float(e), 3) for e in t]
for i in range(40):
    x = torch.randn(3)
    o = [unused(x), allow(x), inplace(x), cond(x, i % 2), tens(x), loop(x, 3 + i % 3), index(x), sm(x)]
    if i % 8 == 7:
        print(o[0], round(o[1][0], 2), o[1][1], p(o[2]), p(o[3]), o[4][0], p(o[4][1]), p(o[5]), p(o[6]), [p(t) for t in o[7]])
def allow2(x):
    loss = (w * w * x).sum()
    u = w * 2
    a, b, c = torch.autograd.grad(loss, [w, v, u], allow_unused=True)
    d = w * v
    e, f = torch.autograd.grad((d * x).sum(), [d, v], allow_unused=True)
    return a, b, c, e, f
for i in range(40):
    x = torch.randn(3)
    a, b, c, e, f = allow2(x)
    if i % 10 == 9: print(p(a), b, c, p(e), p(f))

import torch, torch.nn as nn, torch.nn.functional as F
torch.manual_seed(0)
# custom functions: saved tensors, needs_input_grad, several outputs, in hot loops, with branches
class Mul(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b, k):
        ctx.save_for_backward(a, b, None); ctx.k = k
        return a * b * k, a + b
    @staticmethod
    def backward(ctx, g, h):
        a, b, n = ctx.saved_tensors
        ga = g * b * ctx.k + h if ctx.needs_input_grad[0] else None
        gb = g * a * ctx.k + h if ctx.needs_input_grad[1] else None
        return ga, gb, None
class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp(); ctx.save_for_backward(y); return y
    @staticmethod
    def backward(ctx, g): y, = ctx.saved_tensors; return g * y
class Clip(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): ctx.mask = x > 0; return x.clamp(min=0)
    @staticmethod
    def backward(ctx, g): return g * ctx.mask * 2
class Round(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): ctx.mark_non_differentiable(r := x.round()); ctx.set_materialize_grads(False); return x * 1, r
    @staticmethod
    def backward(ctx, g, h): return g
w = torch.randn(3, requires_grad=True); v = torch.randn(3)
def err(e): return str(e)[:55]
def f(x, i):
    a, b = Mul.apply(w, x, i % 3 + 1)
    y = Exp.apply(a * 0.1)
    if i % 4 == 1: y.add_(1)
    z = Clip.apply(y - 1)
    p, q = Round.apply(z)
    if i % 4 == 2: a.mul_(2)
    return (p + q + b).sum()
for i in range(16):
    w.grad = None
    try: l = f(v * i, i); l.backward(); print(i, round(l.item(), 3), [round(t, 3) for t in w.grad.tolist()])
    except RuntimeError as e: print(i, err(e))
def g(x, i):
    h = w * 1
    y = Exp.apply(h)
    if x.sum() > 0: h.zero_()
    else: y = y * 2
    if i % 5 == 3:
        with torch.no_grad(): y.mul_(3)
    return y.sum()
for i in range(16):
    w.grad = None
    try: l = g(torch.tensor([1. if i % 3 else -1.]), i); l.backward(); print(i, round(l.item(), 3), [round(t, 3) for t in w.grad.tolist()])
    except RuntimeError as e: print(i, err(e))
def h(x, i):
    y = (w * x).sigmoid(); z = (y * y).sum()
    try:
        if i % 3 == 1: y.mul_(2)
        z.backward()
        return w.grad.tolist()
    except RuntimeError as e: return err(e)
for i in range(9): w.grad = None; print(h(v, i))
def k(x, n):
    s = w.clone(); out = 0
    for q in range(n):
        out = out + (s * s).sum()
        if q == 2: s.mul_(0.5)
    return out
for n in (1, 2, 3, 4, 2, 3, 1, 5, 2):
    w.grad = None
    try: l = k(v, n); l.backward(); print(n, round(l.item(), 4), [round(t, 3) for t in w.grad.tolist()])
    except RuntimeError as e: print(n, err(e))

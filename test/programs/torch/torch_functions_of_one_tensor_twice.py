# autograd.Function with one tensor in two places, with writes in forward, with results that are not used.
import torch
from torch import nn
class F1(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b + a + b
    @staticmethod
    def backward(ctx, go):
        a, b = ctx.saved_tensors
        return go * (b + 1), go * (a + 1)
def fn(x):
    return F1.apply(x, x).sum()
x = torch.tensor([0.7, -1.3, 2.1, 0.05, -0.5], requires_grad=True)
for i in range(80):
    x.grad = None
    fn(x).backward()
print(x.grad)
class Inpl(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, scale=2.0, name=None):
        ctx.scale = scale
        ctx.name = name
        y = x @ w
        y += 1
        y *= scale
        ctx.save_for_backward(x, w)
        return y
    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        log.append((ctx.needs_input_grad, ctx.name))
        gx = gw = None
        if ctx.needs_input_grad[0]: gx = (g * ctx.scale) @ w.t()
        if ctx.needs_input_grad[1]: gw = x.t() @ (g * ctx.scale)
        return gx, gw, None, None
log = []
w = torch.linspace(-1, 1, 6).reshape(3, 2).requires_grad_()
for i in range(90):
    x = torch.full((2, 3), 0.1 * i, requires_grad=(i % 3 == 0))
    Inpl.apply(x, w, 1.5, f"s{i%2}").pow(2).sum().backward()
    if i % 10 == 9: w.grad.zero_()
print(w.grad, len(log), log[-3:], x.grad)
class Multi(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, k):
        v, i = x.topk(k)
        ctx.mark_non_differentiable(i)
        ctx.save_for_backward(i)
        ctx.shape = x.shape
        ctx.set_materialize_grads(False)
        return v, i, x.sum()
    @staticmethod
    def backward(ctx, gv, gi, gs):
        (i,) = ctx.saved_tensors
        seen.append((gv is None, gi is None, gs is None))
        g = torch.zeros(ctx.shape)
        if gv is not None: g.scatter_(0, i, gv)
        if gs is not None: g = g + gs
        return g, None
seen = []
x = torch.tensor([3., 1., 4., 1.5, 5., 9., 2.], requires_grad=True)
for j in range(100):
    v, i, s = Multi.apply(x, 3)
    l = v.pow(2).sum() if j % 3 == 0 else (s * 2 if j % 3 == 1 else v.sum() + s)
    l.backward()
print(x.grad, i, i.requires_grad, v.grad_fn is not None, set(seen))

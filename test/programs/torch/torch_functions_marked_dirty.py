"""autograd.Function with ctx.mark_dirty: what was written to in place stands for the output."""
import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, k):
        ctx.mark_dirty(x)
        ctx.k = k
        x.mul_(k)
        return x

    @staticmethod
    def backward(ctx, g):
        return g * ctx.k, None


class Swap(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.mark_dirty(a)
        s = a + b
        a.add_(1).mul_(b)
        ctx.save_for_backward(b)
        return s, a

    @staticmethod
    def backward(ctx, gs, ga):
        (b,) = ctx.saved_tensors
        return gs + ga * b, gs


for i in range(12):
    p = torch.tensor([1.0, 3.0, 2.0], requires_grad=True)
    a = p * 1.5
    c = a.exp() if i % 2 else a * 2
    b = Scale.apply(a, i + 1)
    s, d = Swap.apply(b, p)
    try:
        (s * 2 + d.sin() + c).sum().backward()
        out = p.grad.tolist()
    except RuntimeError as e:
        out = str(e)[:60]
    if i % 5 < 2:
        print(i, b is a, d is a, a.grad_fn.name(), [round(v, 3) for v in a.tolist()], [round(v, 3) for v in out] if isinstance(out, list) else out)
q = torch.ones(2, requires_grad=True)
for f in (lambda: Scale.apply(q, 2), lambda: Scale.apply(torch.ones(2), 3)):
    try:
        r = f()
        print(r, r.requires_grad)
    except RuntimeError as e:
        print("error:", e)
with torch.no_grad():
    print(Scale.apply(q, 2), q)

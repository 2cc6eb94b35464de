# What made the result of a recursion is told by the way that it took: grad_fn names behind it.
import torch
torch.manual_seed(0)
class N:
    def __init__(s, l=None, r=None, v=0.0): s.l, s.r, s.v = l, r, v
w = torch.randn(3, requires_grad=True)
def f(n):
    if n.l is None: return torch.tanh(w * n.v), n.v * w
    a, c = f(n.l); b, d = f(n.r)
    return a + b, c * d
def mk(d): return N(v=0.1 * d + 0.3) if d == 0 else N(mk(d - 1), mk(0), 0.2)
ts = [mk(i % 4) for i in range(60)]
for i, t in enumerate(ts):
    h, c = f(t)
    loss = (h * c).sum()
    loss.backward()
    if i % 9 == 0: print(i, h.grad_fn.name(), c.grad_fn.name(), loss.item(), h)
print(h.grad_fn.name(), c.grad_fn.name(), w.grad)

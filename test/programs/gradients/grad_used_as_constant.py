# A gradient without a graph of its own, used in another loss: it is a constant there.
import torch
torch.manual_seed(0)
w = torch.randn(3, requires_grad=True)
def f(x):
    loss = (w * w * x).sum()
    (g,) = torch.autograd.grad(loss, w)
    l2 = (w * g).sum()
    l2.backward()
    r = w.grad.clone()
    w.grad = None
    return r
def h(x):
    loss = (w * w * x).sum()
    loss.backward()
    l2 = (w * w.grad).sum()
    w.grad = None
    l2.backward()
    r = w.grad.clone()
    w.grad = None
    return r
for i in range(30):
    a = f(torch.ones(3) * i)
    b = h(torch.ones(3) * i)
    if i % 6 == 5: print(a, b)

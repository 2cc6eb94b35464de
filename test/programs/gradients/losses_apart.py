# Two losses of one function, each with a backward() of its own: what the one frees, the other may need.
import torch
torch.manual_seed(0)
w1 = torch.randn(3, requires_grad=True)
w2 = torch.randn(3, requires_grad=True)
o1 = torch.optim.SGD([w1], lr=0.1)
o2 = torch.optim.SGD([w2], lr=0.1)
def f(x):
    return (w1 * w1 * x).tanh().sum(), (w2 * w2 * x).tanh().sum()
def g(x):
    h = torch.tanh(w1 * x * w1)
    return (h * w2).sum(), (h + w2).sum(), h
def go(*ls):
    for l, o in ls:
        o.zero_grad()
        l.backward()
        o.step()
run = {'go': go}
for i in range(12):
    x = torch.full((3,), float(i % 5) - 2.0)
    a, b = f(x)
    eval("go((a, o1), (b, o2))", {**run, 'a': a, 'b': b, 'o1': o1, 'o2': o2})
    print(i, w1.grad, w2.grad, w1.detach(), w2.detach())
    for order in ((0, 1), (1, 0), (0, 2), (2, 1), (1, 1)):
        out = g(x)
        out = (out[0], out[1], out[2].sum())
        try:
            eval("go((a, o1), (b, o2))", {**run, 'a': out[order[0]], 'b': out[order[1]], 'o1': o1, 'o2': o2})
            print("fine", order)
        except RuntimeError as e:
            print(order, str(e)[:60])

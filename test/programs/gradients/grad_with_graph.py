# Gradients that have gradients: penalties, inner steps, products with the Hessian.
import torch
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.randn(4, 4, requires_grad=True)
b = torch.zeros(4, requires_grad=True)
v = torch.randn(4, requires_grad=True)
params = [w, b, v]

def show(name, ts):
    print(name, [None if t is None else [round(float(e), 3) for e in t.flatten()[:3]] for t in ts])

def clear():
    for p in params:
        p.grad = None

def penalty(x):
    y = torch.tanh(x @ w + b)
    loss = (y * v).sum()
    (g,) = torch.autograd.grad(loss, w, create_graph=True)
    total = loss + (g ** 2).sum()
    total.backward()
    r = [p.grad for p in params]
    clear()
    return g.requires_grad, r

def detached(x):
    y = torch.tanh(x @ w + b)
    loss = (y * v).sum()
    g, h = torch.autograd.grad(loss, [w, v])
    total = (w * g).sum() + (v * h).sum()
    total.backward()
    r = [p.grad for p in params]
    clear()
    return g.requires_grad, r

def linear(x):
    loss = (x * b).sum() + (v ** 3).sum()
    gb, gv = torch.autograd.grad(loss, [b, v], create_graph=True)
    out = (gb * w[0]).sum() + (gv * gv).sum()
    out.backward()
    r = [p.grad for p in params]
    clear()
    return gb.requires_grad, gv.requires_grad, r

def quotient(x):
    loss = (b.exp() / (v * v + 1)).sum()
    gb, = torch.autograd.grad(loss, b, create_graph=True)
    hv = torch.autograd.grad((gb * x[0]).sum(), [b, v])
    return hv

def inner(x, steps):
    fast = list(params)
    for _ in range(steps):
        loss = F.mse_loss(torch.relu(x @ fast[0] + fast[1]) * fast[2], x)
        grads = torch.autograd.grad(loss, fast, create_graph=True)
        fast = [p - 0.1 * g for p, g in zip(fast, grads)]
    out = F.mse_loss(torch.relu(x @ fast[0] + fast[1]) * fast[2], x)
    out.backward()
    r = [p.grad for p in params]
    clear()
    return out, r

def first_order(x, steps):
    fast = list(params)
    for _ in range(steps):
        loss = F.mse_loss(torch.relu(x @ fast[0] + fast[1]) * fast[2], x)
        grads = torch.autograd.grad(loss, fast)
        fast = [p - 0.1 * g for p, g in zip(fast, grads)]
    out = F.mse_loss(torch.relu(x @ fast[0] + fast[1]) * fast[2], x)
    out.backward()
    r = [p.grad for p in params]
    clear()
    return out, r

def hessian_product(x):
    y = (torch.sigmoid(x @ w) * v).sum() + (w ** 4).sum()
    (g,) = torch.autograd.grad(y, w, create_graph=True)
    (h,) = torch.autograd.grad((g * torch.ones(4, 4)).sum(), w)
    return h

def third(x):
    y = (v ** 4).sum()
    (g,) = torch.autograd.grad(y, v, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), v, create_graph=True)
    (k,) = torch.autograd.grad(h.sum(), v)
    return k

def absolute(x):
    y = (v.abs() * x).sum() + (b.abs() + v).sum()
    gb, gv = torch.autograd.grad(y, [b, v], create_graph=True)
    (gb * w[0] + gv * w[1]).sum().backward()
    r = [p.grad for p in params]
    clear()
    return gb.requires_grad, gv.requires_grad, r

for i in range(40):
    x = torch.randn(5, 4)
    a = penalty(x); d = detached(x); l = linear(x); q = quotient(x)
    n1 = inner(x, 1); n3 = inner(x, 3); f2 = first_order(x, 2)
    h = hessian_product(x); k = third(x); ab = absolute(x)
    if i % 8 == 7:
        show(f"penalty {a[0]}", a[1]); show(f"detached {d[0]}", d[1]); show(f"linear {l[0]} {l[1]}", l[2]); show("quotient", q)
        show("inner", [n1[0]] + n1[1]); show("inner3", [n3[0]] + n3[1]); show("first", [f2[0]] + f2[1])
        show("hessian", [h]); show("third", [k]); show(f"abs {ab[0]} {ab[1]}", ab[2])

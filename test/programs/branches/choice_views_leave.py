"""Views of what branches decided on leave a region beside what they show: written to later, all names see it."""
import torch
torch.manual_seed(0)


def f1(x):
    c = torch.zeros(3)
    d, v = c.clone(), x
    if x[0] > 0:
        v = (c if x[1] > 0 else d)[:]
    return v, c, d


def f2(x):
    c = torch.zeros(3)
    d, v = c.clone(), x + 1
    if x[0] > 0:
        v = (c if x[1] > 0 else d).view(3)
        u = v
    else:
        u = d
    return v, c, d, u


def f3(x, box):
    c, d = torch.zeros(3), torch.zeros(3)
    if x[0] > 0:
        t = c if x[1] > 0 else d
        box.t = t[1:]
        box.u = t
    return c, d, box.t, box.u


class B:
    pass


def f4(x, lst):
    c = x * 2
    d = x * 2
    for k in range(3):
        if x[k] > 0:
            w = c if x[(k+1) % 3] > 0 else d
            lst.append(w)
            lst.append(w[:2])
    return c, d


def f5(x):
    c, d = torch.zeros(3), torch.ones(3)
    p = (c, d) if x[0] > 0 else (d, c)
    q = p[0][:]
    r = p if x[1] > 0 else (q, q)
    return c, d, q, *r


def f6(x, st):
    a = st['a']
    if x[0] > 0:
        b = a if x[1] > 0 else st['b']
        y = b.view(3)
    else:
        y = a
    st['y'] = y
    return y


def poke(ts):
    for t in ts:
        t.add_(1)
    return [round(t.sum().item(), 3) for t in ts]


def ids(ts):
    return [[j for j in range(len(ts)) if ts[j] is ts[i]][0] for i in range(len(ts))]


b = B()
b.t, b.u = torch.zeros(2), torch.zeros(3)
st = {'a': torch.zeros(3), 'b': torch.ones(3)}
for i in range(60):
    x = torch.randn(3)
    for f, *a in ((f1,), (f2,), (f3, b), (f5,), (f6, st)):
        r = f(x, *a)
        r = list(r) if isinstance(r, tuple) else [r]
        print(i, f.__name__, ids(r), poke(r), end=' ')
    lst = []
    c = f4(x, lst)
    print(ids([*c, *lst]), poke([*c, *lst]), [round(t.sum().item(), 3) for t in st.values()])

import torch

class Sq(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, k=2):
        ctx.save_for_backward(x)
        ctx.k = k
        return x ** k
    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return g * ctx.k * x ** (ctx.k - 1), None

class Two(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.needs = ctx.needs_input_grad
        return a + b, a * b
    @staticmethod
    def backward(ctx, g1, g2):
        return (g1 if ctx.needs_input_grad[0] else None), (g2 * 3 if ctx.needs_input_grad[1] else None)

for i in range(30):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = Sq.apply(x, 3).sum()
    g, = torch.autograd.grad(y, x, create_graph=True)
    h, = torch.autograd.grad(g.sum(), x)
    a, b = torch.ones(2, requires_grad=True), torch.ones(2) * i
    p, q = Two.apply(a, b)
    (p.sum() + q.sum() * 2).backward()
print(g, h, a.grad, b.grad, p.grad_fn.name(), q.requires_grad)

for i in range(30):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = torch.tensor([3.0, 4.0], requires_grad=True)
    z = (x * x).sum()
    gs = torch.autograd.grad(z, [x, y], allow_unused=True)
    gm = torch.autograd.grad((x * 2).sum(), [x, y], allow_unused=True, materialize_grads=True)
    with torch.no_grad():
        w = x * 2
    with torch.enable_grad():
        v = x * 3
    d = v.detach()
    d += 1
    e = v.detach().clone().requires_grad_()
    (e * v.detach()).sum().backward()
print(gs, gm, w.requires_grad, v, d, e.grad)

def errs(fns):
    out = []
    for f in fns:
        try:
            out.append(repr(f()))
        except Exception as e:
            out.append(type(e).__name__ + ": " + str(e).split("\n")[0][:110])
    return out

def leaf():
    x = torch.ones(2, requires_grad=True)
    x += 1

def leaf_view():
    x = torch.ones(2, requires_grad=True)
    x[0] = 2

def saved():
    x = torch.ones(2, requires_grad=True)
    y = x.exp()
    y += 1
    y.sum().backward()

def twice():
    x = torch.ones(2, requires_grad=True)
    y = (x * x).sum()
    y.backward()
    y.backward()

def nonscalar():
    (torch.ones(2, requires_grad=True) * 2).backward()

def nograd():
    torch.ones(2).sum().backward()

def unused():
    x = torch.ones(2, requires_grad=True)
    y = torch.ones(2, requires_grad=True)
    return torch.autograd.grad(x.sum(), y)

def intgrad():
    torch.ones(2, dtype=torch.long).requires_grad_()

def intleaf():
    return torch.tensor([1, 2], requires_grad=True)

def argmax():
    x = torch.ones(3, requires_grad=True)
    x.argmax().backward()

def numpy():
    return torch.ones(2, requires_grad=True).numpy()

def deep():
    import copy
    return copy.deepcopy(torch.ones(2, requires_grad=True) * 2)

def infer():
    with torch.inference_mode():
        x = torch.ones(2)
    x.requires_grad_()

def inf2():
    with torch.inference_mode():
        x = torch.ones(2)
    w = torch.ones(2, requires_grad=True)
    (x * w).sum().backward()

def ret():
    x = torch.ones(2, requires_grad=True)
    y = x.relu_()

def expandw():
    x = torch.ones(1).expand(3)
    x += 1

def gradshape():
    x = torch.ones(2, requires_grad=True)
    x.grad = torch.ones(3)

def gradtype():
    x = torch.ones(2, requires_grad=True)
    x.grad = torch.ones(2, dtype=torch.float64)

def setattr_():
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    y.requires_grad = False

def boolerr():
    if torch.ones(2):
        pass

def itemerr():
    torch.ones(2).item()

def lenerr():
    len(torch.tensor(1.0))

def itererr():
    list(torch.tensor(1.0))

def catnone():
    torch.cat([])

def stackerr():
    torch.stack([torch.ones(2), torch.ones(3)])

def mm():
    torch.ones(2, 3) @ torch.ones(2, 3)

def idx():
    torch.ones(3)[5]

def view():
    torch.ones(2, 3).t().view(6)

def fns():
    return [leaf, leaf_view, saved, twice, nonscalar, nograd, unused, intgrad, intleaf, argmax, numpy, deep, infer, inf2, ret, expandw, gradshape, gradtype, setattr_, boolerr, itemerr, lenerr, itererr, catnone, stackerr, mm, idx, view]

for i in range(20):
    r = errs(fns())
for v in r:
    print(v)

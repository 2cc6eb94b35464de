# Rows of a Jacobian at once; functions with jvp, setup_context and vmap.

import torch
torch.manual_seed(0)
x = torch.randn(3, requires_grad=True)
W = torch.randn(4, 3)
y = (W @ x).sin()
I = torch.eye(4)
J, = torch.autograd.grad(y, x, grad_outputs=I, is_grads_batched=True)
print(J)
y = (W @ x).sin()
J2 = torch.stack([torch.autograd.grad(y, x, v, retain_graph=True)[0] for v in I])
print(torch.allclose(J, J2))

import torch, torch.autograd.forward_ad as fwAD

class Fn(torch.autograd.Function):

    @staticmethod
    def forward(ctx, foo):
        result = torch.exp(foo)
        ctx.result = result
        return result

    @staticmethod
    def jvp(ctx, gI):
        gO = gI * ctx.result
        del ctx.result
        return gO
fn = Fn.apply
p = torch.randn(3, 3, dtype=torch.double).fill_(0.5)
t = torch.ones(3, 3, dtype=torch.double)
with fwAD.dual_level():
    d = fwAD.make_dual(p, t)
    r = fn(d)
    print(fwAD.unpack_dual(r).tangent)

class Cube(torch.autograd.Function):

    @staticmethod
    def forward(x):
        return (x ** 3, 3 * x ** 2)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, = inputs
        res, dx = output
        ctx.save_for_backward(x, dx)
        ctx.save_for_forward(x, dx)
        ctx.set_materialize_grads(False)

    @staticmethod
    def backward(ctx, g, gdx):
        x, dx = ctx.saved_tensors
        out = 0
        if g is not None:
            out = out + g * dx
        if gdx is not None:
            out = out + gdx * 6 * x
        print(g is None, gdx is None)
        return out

    @staticmethod
    def jvp(ctx, xt):
        x, dx = ctx.saved_tensors
        return (dx * xt, 6 * x * xt)

    @staticmethod
    def vmap(info, in_dims, x):
        return (Cube.apply(x), (in_dims[0], in_dims[0]))

def my_cube(x):
    return Cube.apply(x)[0]
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
my_cube(x).sum().backward()
print(x.grad)
print(torch.func.grad(lambda x: torch.func.grad(lambda y: my_cube(y))(x))(torch.tensor(2.0)))
print(torch.func.jvp(my_cube, (torch.tensor(2.0),), (torch.tensor(1.0),)))
print(torch.func.vmap(my_cube)(torch.arange(3.0)))

class Gen(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x.sin()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[0])

    @staticmethod
    def backward(ctx, g):
        return g * ctx.saved_tensors[0].cos()
print(torch.func.vmap(torch.func.grad(lambda v: Gen.apply(v)))(torch.arange(3.0)))

import torch
from torch.autograd.function import once_differentiable

class Inplace(torch.autograd.Function):

    @staticmethod
    def forward(ctx, x):
        x_npy = x.numpy()
        x_npy += 1
        ctx.mark_dirty(x)
        return x

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        return g
a = torch.tensor(1.0, requires_grad=True, dtype=torch.double).clone()
b = a * a
Inplace.apply(a)
try:
    b.backward()
except RuntimeError as e:
    print(str(e)[:100])

class Sort(torch.autograd.Function):

    @staticmethod
    def forward(ctx, x):
        s, i = x.sort()
        ctx.mark_non_differentiable(i)
        ctx.save_for_backward(x, i)
        return (s, i)

    @staticmethod
    @once_differentiable
    def backward(ctx, g1, g2):
        x, i = ctx.saved_tensors
        gi = torch.zeros_like(x)
        gi.index_add_(0, i, g1)
        return gi
x = torch.tensor([3.0, 1.0, 2.0], requires_grad=True)
s, i = Sort.apply(x)
print(s.requires_grad, i.requires_grad, s.grad_fn.name(), type(s.grad_fn).__module__)
(s * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
print(x.grad)
g, = torch.autograd.grad(Sort.apply(x)[0].sum(), x, create_graph=True)
try:
    g.sum().backward()
except RuntimeError as e:
    print(e)

class Bad(torch.autograd.Function):

    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return (g, g)
try:
    Bad.apply(x).sum().backward()
except RuntimeError as e:
    print(e)

class Bad2(torch.autograd.Function):

    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g[:1]
try:
    Bad2.apply(x).sum().backward()
except RuntimeError as e:
    print(e)

class NoB(torch.autograd.Function):

    @staticmethod
    def forward(ctx, x):
        return x * 2
try:
    NoB.apply(x).sum().backward()
except Exception as e:
    print(type(e).__name__, e)

class Opt(torch.autograd.Function):

    @staticmethod
    def forward(ctx, x, k, flag=None):
        ctx.k = k
        print(ctx.needs_input_grad)
        return x * k

    @staticmethod
    def backward(ctx, g):
        return (g * ctx.k, None, None)
print(torch.autograd.grad(Opt.apply(x, 3.0).sum(), x))

class STE(torch.autograd.Function):

    @staticmethod
    def forward(ctx, x):
        return x.sign()

    @staticmethod
    def backward(ctx, g):
        return g.clamp(-1, 1)
STE.apply(x).sum().backward()
print(x.grad)

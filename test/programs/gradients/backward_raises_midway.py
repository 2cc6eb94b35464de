"""A backward of the user's, or a hook, that raises in the middle of a backward pass: what was reached before has its gradient."""
import torch
now=[0]
class Guard(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v):
        ctx.save_for_backward(v)
        return v * 0.5
    @staticmethod
    def backward(ctx, g):
        v, = ctx.saved_tensors
        if now[0] % 5 == 4:
            raise ValueError('backward')
        return g * v
a = torch.ones(3, requires_grad=True)
b = torch.full((3,), 2.0, requires_grad=True)
def step(i):
    now[0] = i
    a.grad = None; b.grad = None
    y = Guard.apply(a * 2)
    loss = (y * b).sum()
    try:
        loss.backward()
    except ValueError as e:
        return str(e)
    return loss
def step2(i):
    now[0] = i
    a.grad = None; b.grad = None
    y = Guard.apply(a * 2)
    loss = (y * b).sum()
    loss.backward()
    return loss
for i in range(20):
    print(i, step(i), a.grad, b.grad)
for i in range(20):
    try: print(i, step2(i), a.grad, b.grad)
    except ValueError as e: print(i, e, a.grad, b.grad)
def hook(g):
    if now[0] % 5 == 4: raise KeyError('hook')
    return g * 2
def step3(i):
    now[0] = i
    a.grad = None; b.grad = None
    y = a * 2
    y.register_hook(hook)
    loss = (y * b).sum()
    try:
        loss.backward()
    except KeyError as e:
        return str(e)
    return loss
for i in range(20):
    print(i, step3(i), a.grad, b.grad)

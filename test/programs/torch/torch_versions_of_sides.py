import torch


def sides(x, w):
    if x.sum() > 0:
        loss = (w * w * x).sum()
    else:
        with torch.no_grad():
            w.add_(1)
        loss = (w * w * x).sum()
    return loss


def before(x, w):
    loss = (w * w * x).sum()
    if x.sum() < 0:
        with torch.no_grad():
            w.add_(1)
    return loss


def loop(x, w):
    loss = (w * w * x).sum()
    s = x.sum()
    while s < 0:
        with torch.no_grad():
            w.add_(1)
        s = s + 3
    return loss


def after(x, w):
    loss = (w * w * x).sum()
    if x.sum() < 0:
        loss = loss * 2
    with torch.no_grad():
        w.mul_(0.5)
    return loss


def both(x, w):
    if x.sum() > 0:
        loss = (w * w * x).sum()
        with torch.no_grad():
            w.mul_(0.5)
    else:
        with torch.no_grad():
            w.add_(1)
        loss = (w * w * x).sum()
    return loss


xs = [torch.tensor([1., 2.]), torch.tensor([-1., 3.]), torch.tensor([1., -3.]), torch.tensor([-1., -3.])]
for f in sides, before, loop, after, both:
    w = torch.ones(2, requires_grad=True)
    for k in range(16):
        x = xs[(k * 7 + k // 4) % 4]
        loss = f(x, w)
        try:
            loss.backward()
            print(f.__name__, k, loss.item(), w.grad.tolist())
        except RuntimeError as e:
            print(f.__name__, k, str(e)[:70])
        w.grad = None


def many(x, w):
    acc = torch.zeros(())
    s = x.sum()
    while s < 4:
        with torch.no_grad():
            w.mul_(0.5)
        acc = acc + (w * w * x).sum()
        s = s + 3
    return acc


def inside(x, w):
    loss = (w * w * x).sum()
    if x.sum() < 0:
        with torch.no_grad():
            w.add_(1)
    try:
        loss.backward()
    except RuntimeError as e:
        return str(e)[:40]
    return w.grad.tolist()


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return 2 * x * g


def function(x, w):
    h = w * x
    loss = Square.apply(h).sum()
    if x.sum() < 0:
        h.add_(1)
    return loss


for f in many, function:
    w = torch.ones(2, requires_grad=True)
    for k in range(16):
        x = xs[(k * 7 + k // 4) % 4]
        loss = f(x, w)
        try:
            loss.backward()
            print(f.__name__, k, loss.item(), w.grad.tolist())
        except RuntimeError as e:
            print(f.__name__, k, str(e)[:70])
        w.grad = None
w = torch.ones(2, requires_grad=True)
for k in range(16):
    print(inside(xs[(k * 7 + k // 4) % 4], w))
    w.grad = None


def counted(x, w, n):
    acc = torch.zeros(())
    for i in range(n):
        with torch.no_grad():
            w.mul_(0.5)
        acc = acc + (w * w * x).sum()
    return acc


w = torch.ones(2, requires_grad=True)
for k in range(16):
    loss = counted(xs[k % 4], w, k % 3 + 1)
    try:
        loss.backward()
        print(k, loss.item(), w.grad.tolist())
    except RuntimeError as e:
        print(k, str(e)[:70])
    w.grad = None

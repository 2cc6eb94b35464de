import torch


def shown(name, f):
    torch.manual_seed(1)
    w = torch.randn(3, 4, requires_grad=True)
    try:
        f(w)
        print(name, None if w.grad is None else f'{w.grad.sum().item():.4f}')
    except RuntimeError as e:
        print(name, str(e)[:60])


def result_changed(w):
    a = torch.sigmoid(w)
    a += 1
    a.sum().backward()


def nothing_kept(w):
    a = w + 1
    one, two = a.exp().sum(), (a - 2).pow(2).sum()
    one.backward()
    two.backward()


def number_kept(w):
    a = w * 3
    one, two = a.exp().sum(), (a + 2).pow(2).sum()
    one.backward()
    two.backward()


def twice(w):
    loss = (w * 2).sum()
    loss.backward()
    loss.backward()


def twice_sum(w):
    loss = (w + 2).sum()
    loss.backward()
    loss.backward()


def mean_twice(w):
    loss = w.mean()
    loss.backward()
    loss.backward()


def through_data(w):
    a = w * 2
    b = a * a
    a.data.add_(1)
    b.sum().backward()


def leaf_made_here(w):
    x = torch.ones(2, 3, requires_grad=True)
    g, = torch.autograd.grad((x @ w).tanh().sum(), x, create_graph=True)
    ((g.norm(dim=1) - 1) ** 2).sum().backward()


def data_kept(w):
    d = w.data
    y = (w * w).sum()
    d.mul_(2)
    y.backward()


class Clip(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, low=-1.0, high=1.0):
        ctx.save_for_backward((x >= low) & (x <= high))
        return x.clamp(low, high)

    @staticmethod
    def backward(ctx, g):
        mask, = ctx.saved_tensors
        return g * mask, None, None


def surplus_none(w):
    Clip.apply(w * 2).sum().backward()
    Clip.apply(w * 2, -0.5).sum().backward()


cases = [result_changed, nothing_kept, number_kept, twice, twice_sum, mean_twice, through_data,
         leaf_made_here, data_kept, surplus_none]
for i in range(8):
    for case in cases:
        shown(f'{i} {case.__name__}', case)

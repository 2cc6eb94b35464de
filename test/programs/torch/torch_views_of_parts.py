"""Views of what does not lie row by row are views, a diagonal too, and what PyTorch copies is a copy."""
import torch


def bases():
    yield "rows", torch.arange(24.0).reshape(4, 6)
    yield "part", torch.arange(48.0).reshape(4, 12)[::2, 1::2]
    yield "turned", torch.arange(24.0).reshape(6, 4).t()
    yield "cube", torch.arange(24.0).reshape(2, 3, 4).permute(2, 0, 1)


for name, a in bases():
    d = a.diagonal()
    print(name, d.shape, d.stride(), d.storage_offset(), d._base is not None)
    d.fill_(-1)
    print(a.tolist())
    d = a.diagonal(1, -1, 0)
    a.mul_(2)
    print(d.stride(), d.tolist())
    leaf = a.clone().requires_grad_()
    b = leaf * 1
    c = b.diagonal(-1)
    c.mul_(3)
    c.add_(1)
    (b * b).sum().backward()
    print(leaf.grad.tolist(), c.grad_fn is not None)
    m = a.reshape(a.shape[0], -1)[:2, :2]
    e = torch.diag(m)
    e.fill_(100)
    print(m.tolist())
    i = (a > 3).nonzero()
    print(i.shape, i.stride(), i[:3].tolist())


def step(a, k):
    a.diagonal().add_(k)
    return a.sum()


for name, a in bases():
    print(name, [round(step(a, float(k)).item(), 2) for k in range(30)][::7])
x = torch.tensor([[0.5, 1.0, 1.0], [2.0, -1.0, 0.0]], requires_grad=True)
for f in (
    lambda x: torch.nn.functional.smooth_l1_loss(x, torch.tensor(float("inf")).expand(2, 3), reduction="sum"),
    lambda x: torch.nn.functional.huber_loss(x, torch.zeros(2, 3), delta=0.75),
    lambda x: torch.nn.functional.kl_div(torch.zeros(2, 3), x.abs(), reduction="sum"),
    lambda x: torch.linalg.matrix_power(x[:, :2], 0).sum(),
    lambda x: torch.nn.functional.avg_pool1d(x, 2).sum(),
    lambda x: torch.nn.functional.max_pool1d(x, 2).sum(),
):
    g, = torch.autograd.grad(f(x), x, create_graph=True)
    print(g.tolist(), g.requires_grad)
print(torch.autograd.grad(torch.nn.functional.multi_margin_loss(x, torch.tensor([0, 1])), x)[0].tolist())

# Whether a view, an overlap or a write is allowed depends on where elements lie, which changes after compiling.
import torch


def shift(x, y):
    x[1:] = y[:-1]
    return x.sum()


base = torch.arange(12.0)
for i in range(60):
    try:
        s = shift(base, base if i == 39 or i > 56 else base.clone()).item()
    except RuntimeError as e:
        s = str(e)[:30]
    if i % 10 == 9 or i > 55:
        print(i, s)


def add_other(a, b):
    a.add_(b.t())
    return a.sum().item()


a = torch.ones(3, 3)
for i in range(60):
    try:
        s = add_other(a, a if i in (45, 58) else torch.ones(3, 3))
    except RuntimeError as e:
        s = str(e)[:30]
    if i > 43 and i % 7 in (3, 2):
        print(i, s)


def halve(x):
    try:
        y = x.view(-1)
    except RuntimeError:
        return "not viewable"
    y.mul_(0.5)
    return "viewed"


x = torch.ones(4, 4)
for i in range(60):
    if i == 40:
        x = torch.arange(16.0).view(4, 4).t()
    if i == 55:
        x = torch.ones(4, 4)
    r = halve(x)
    if i > 38 and i % 4 == 0 or i > 55:
        print(i, r, x[0, 1].item())


def heads(x, n):
    q, k = x.chunk(2, dim=-1)
    q = q.view(x.shape[0], n, q.shape[-1] // n).transpose(0, 1)
    k = k.unsqueeze(0)[0].view(x.shape[0], n, -1).permute(1, 2, 0)
    return (q @ k).sum()


for i in range(40):
    h = heads(torch.arange(24.0).view(3, 8) + i, 2)
print(h.item())


def asks(x):
    return (x * 2).sum(), x.is_contiguous(), x.contiguous() is x


kinds = [torch.ones(4, 8)[:, ::2], torch.ones(4, 4), torch.ones(4, 4).t()]
for i in range(60):
    s, c, same = asks(kinds[i // 20])
    if i % 10 == 5:
        print(i, c, same)


def double(x):
    x.mul_(2)
    return x.sum().item()


x = torch.ones(3, 3)
caught = 0
for i in range(60):
    if i == 40:
        x = torch.arange(3.0).expand(3, 3)
    try:
        r = double(x) if i < 45 else None
        if i >= 45:
            x.add_(1)
    except RuntimeError as e:
        r = str(e)[:40]
        caught += 1
    if i in (38, 39, 40, 41, 50):
        x = torch.ones(3, 3) if i < 40 else x
        print(i, r)
print(caught, x[0].tolist())

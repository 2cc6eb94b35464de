import torch


def shown(name, f):
    w = torch.tensor([0.5, -0.25, 1.5], requires_grad=True)
    try:
        f(w)
        print(name, None if w.grad is None else [f'{v:.4f}' for v in w.grad.tolist()])
    except RuntimeError as e:
        print(name, str(e)[:300])


def through_data(w):
    y = w ** 2
    w.data.mul_(2)
    y.sum().backward()


def without_grad(w):
    y = w ** 2
    with torch.no_grad():
        w.mul_(2)
    y.sum().backward()


def detached(w):
    x = w.sigmoid()
    x.detach().mul_(2)
    x.sum().backward()


def detached_tanh(w):
    x, y = (w * 2).tanh(), w * 3
    x.detach().mul_(2)
    y.sum().backward()
    x.sum().backward()


def input_of_sigmoid(w):
    h = w * 2
    x = h.sigmoid()
    with torch.no_grad():
        h.add_(1)
    x.sum().backward()


def again(w):
    y = (w * w).sum()
    y.backward()
    (y * 2).backward()


def zeroed(w):
    x = w * 1
    x.zero_()
    x.sum().backward()


def filled(w):
    x = w.exp()
    x.fill_(w[1].item())
    y = x * w
    x.copy_(w * 3)
    (x * 2).sum().backward()


def whole(w):
    y = w.tanh()
    x = torch.zeros(3)
    x.copy_(y)
    x.add_(1)
    (x * y).sum().backward()


def rows(w):
    h, hs = w, torch.zeros(4, 3)
    for t in range(4):
        h = torch.tanh(h + 0.1 * t)
        hs[t] = h
    hs.pow(2).sum().backward()


def rows_written_over(w):
    buf = torch.zeros(3, 3)
    buf[1] = torch.exp(w)
    buf[2] = 1.0
    buf[1, 0] = 4.0
    buf.pow(2).sum().backward()


cases = [through_data, without_grad, detached, detached_tanh, input_of_sigmoid, again, zeroed, filled,
         whole, rows, rows_written_over]
for i in range(6):
    for case in cases:
        shown(f'{i} {case.__name__}', case)

w = torch.tensor([0.5, -0.25, 1.5], requires_grad=True)
for i in range(20):
    w.grad = None
    y = (w ** 2).sum()
    w.data.mul_(0.9)
    y.backward()
    print(i, f'{w.grad.sum().item():.4f}')

"""Variables that a loop sets first, and that are read after it."""
import torch
torch.manual_seed(0)

def halve(total):
    while (x := total.abs().item()) > 2:
        total = total / 2
    return x

def search(x, tol, most=30):
    for it in range(most):
        step = (x * x - 2) / (2 * x)
        x = x - step
        size = step.abs().max()
        if size.item() < tol:
            break
    else:
        it = -1
    return x, it, size, step.sum()

def until(x, limit):
    n = 0
    while True:
        y = x.sum()
        z = (y * 2, n)
        if y.item() > limit:
            break
        x = x * 1.5 + 0.1
        n += 1
    return y, z[0], z[1]

def empty(n, x):
    for i in range(n):
        y = x * i
        if y.sum().item() > 8:
            break
    return y.sum()

w = torch.ones(3, requires_grad=True)
def trained(x):
    for i in range(6):
        h = torch.tanh(w * x)
        if h.sum().item() > 2.5:
            break
        x = x + 0.5
    return h.sum()

t = 0.0
for i in range(60):
    t += halve(torch.randn(1).sum() * (i % 9))
    x, it, size, step = search(torch.full((2,), 1.0 + i % 7), 10.0 ** -(i % 5))
    t += x.sum().item() + it + size.item() + step.item()
    a, b, n = until(torch.full((2,), 0.1 * (i % 4)), 5.0)
    t += a.item() + b.item() + n
    try:
        t += empty(i % 6, torch.ones(3)).item()
    except UnboundLocalError as e:
        t += 100
        last = str(e)
    loss = trained(torch.full((3,), 0.1 * (i % 11)))
    loss.backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
        w.grad = None
    t += loss.item()
print(f"{t:.3f} {w.sum().item():.4f}", last)

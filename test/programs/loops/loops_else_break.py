"""Loops with an else, left by a break."""
import torch
torch.manual_seed(0)

def newton(x, tol, most):
    for it in range(most):
        step = (x * x - 2) / (2 * x)
        x = x - step
        if step.abs().max().item() < tol:
            break
    else:
        it = -1
    return x, it

def first_above(rows, limit):
    for r in rows:
        if r.sum().item() > limit:
            found = r * 2
            break
    else:
        found = torch.zeros(3) - 1
    return found.sum()

def whiles(x, limit):
    n = 0
    while n < 6:
        x = x * 1.5 + 0.1
        if x.sum().item() > limit:
            kind = 1
            break
        n += 1
    else:
        x = x * 0
        kind = 2
    return x.sum() + kind, n

def returns(rows, limit):
    for i, r in enumerate(rows):
        if r.max().item() > limit:
            break
    else:
        return torch.full((), -5.0), i
    return r.min(), i

w = torch.ones(3, requires_grad=True)
def trained(x, n):
    for i in range(n):
        h = torch.tanh(w * x)
        if h.sum().item() > 2.5:
            break
        x = x + 0.3
    else:
        h = h * 0.5
    return h.sum()

t, data = 0.0, torch.randn(5, 3)
for i in range(80):
    x, it = newton(torch.full((2,), 1.0 + i % 7), 10.0 ** -(i % 5), 2 + i % 5)
    t += x.sum().item() + it
    t += first_above(data * (i % 4), 1.5).item()
    a, n = whiles(torch.full((2,), 0.1 * (i % 9)), 5.0)
    t += a.item() + n
    a, n = returns(data * (1 + i % 3), 1.5 + i % 2)
    t += a.item() + n
    loss = trained(torch.full((3,), 0.1 * (i % 11)), 3 + i % 4)
    loss.backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
        w.grad = None
    t += loss.item()
print(f"{t:.3f} {w.sum().item():.4f}")

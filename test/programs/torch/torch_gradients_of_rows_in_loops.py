# expect: line 25 tier 2
# Gradients of rows that a loop of the graph reads: each is added where its row is, with the signs of zeros that sums of wholes have.
import torch

torch.manual_seed(0)
w = torch.randn(3, 3, requires_grad=True)


def rows(x, n):
    h = torch.zeros(3)
    for t in range(n):
        h = torch.tanh(x[t] @ w + h)
    return h.sum()


def the_first_row(x, n):
    # A dead unit: all its gradients are -0.0.
    h = torch.ones(3)
    for t in range(n):
        h = h - torch.relu(x[0] - 5.0) * x[0]
    return h.sum()


totals = [0.0, 0.0, 0.0]
for step in range(60):
    n = step % 5 + 1
    x = torch.full((n + 1, 3), 0.5) + 0.1 * step
    x.requires_grad_()
    w.grad = None
    loss = rows(x, n) + the_first_row(x, n)
    loss.backward()
    totals[0] += loss.item()
    totals[1] += x.grad.sum().item()
    totals[2] += torch.signbit(x.grad).sum().item()
print([round(t, 3) for t in totals])


def walk(x, order):
    # Rows in an order that data gives, some of them several times.
    total = torch.zeros(3)
    for i in order:
        total = total + x[i] * x[i]
    return total.sum()


for step in range(30):
    x = torch.linspace(-1, 1, 12).view(4, 3).requires_grad_()
    order = [(step * k) % 4 for k in range(step % 6 + 1)]
    walk(x, order).backward()
    totals[1] += (x.grad * torch.arange(12.0).view(4, 3)).sum().item()
    totals[2] += torch.signbit(x.grad).sum().item()
print([round(t, 3) for t in totals])


# One row, of a loop whose trip count moves, and none at all.
for step in range(24):
    x = (torch.arange(6.0).view(2, 3) - 2.5).requires_grad_()
    n = [1, 0, 2, 1][step % 4]
    y = (x * 0.0).sum()
    for t in range(n):
        y = y + (torch.relu(x[t]) * -0.0).sum()
    y.backward()
    totals[2] += torch.signbit(x.grad).sum().item()
print([round(t, 3) for t in totals])

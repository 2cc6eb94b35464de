"""A callee is replaced by what a graph cannot make, and later by another function: each has its version at once."""
from functools import partial

import torch


def smooth_l1(pred, y, beta=1.0):
    d = (pred - y).abs()
    return torch.where(d < beta, 0.5 * d * d / beta, d - 0.5 * beta).mean()


def mse(pred, y):
    return ((pred - y) ** 2).mean()


criterion = mse


def train_step(w, x, y, lr=0.05):
    loss = criterion(x @ w, y)
    loss.backward()
    with torch.no_grad():
        w -= lr * w.grad
        w.grad.zero_()
    return loss


torch.manual_seed(40)
w = torch.zeros(3, requires_grad=True)
x = torch.randn(25, 3)
y = x @ torch.tensor([1.0, 2.0, -1.0])
y[3] += 5
slow = partial(train_step, w, lr=0.01)
for i in range(120):  # expect: tier 2, at most 6 entries in tier 0
    if i == 40:
        criterion = partial(smooth_l1, beta=0.5)
    if i == 80:
        criterion = smooth_l1
    loss = slow(x, y) if i % 10 == 9 else train_step(w, x, y)
    if i % 20 == 19:
        print(i, f"{loss.item():.4f}", [f"{v:.3f}" for v in w.tolist()])

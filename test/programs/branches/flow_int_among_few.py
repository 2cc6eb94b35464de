# `in` and `not in` of a number that moves, among a few that are known.
import torch


def pick(x, i):
    if i in (3, 7, 11):
        return (x * 2).sum()
    if i % 5 not in (1, 2):
        return x.sum()
    return (x + i).sum()


def scale(x, k, flag):
    gain = 2.0 if k in (0, 4, True) else 0.5
    return (x * gain).sum() if flag not in (False,) else -x.sum()


x = torch.arange(4.0)
total = 0.0
for i in range(120):
    total += pick(x, i % 13).item()
    total += scale(x, i % 6, i % 4 == 0).item()
    if i % 30 == 29:
        print(i, total)
milestones = (20, 45)
rate = 1.0
w = torch.ones(3, requires_grad=True)
for step in range(60):
    loss = (w * w).sum()
    loss.backward()
    if step in milestones:
        rate *= 0.1
    with torch.no_grad():
        w -= 0.01 * rate * w.grad
    w.grad = None
    if step in (0, 19, 20, 44, 45, 59):
        print(step, round(rate, 4), round(loss.item(), 5))

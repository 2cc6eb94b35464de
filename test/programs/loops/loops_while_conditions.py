"""Loops whose condition has several parts: each is evaluated where those before it hold."""
import torch

torch.manual_seed(0)
v = torch.randn(3, 3) * 0.5
w = torch.randn(3, 3, requires_grad=True)


class Settings:
    def __init__(self):
        self.limit, self.on = 7, True

    def goes_on(self, x):
        return x.abs().max() > 0.05


settings = Settings()


def shrink(x):
    n = 0
    while settings.on and n < settings.limit and settings.goes_on(x):
        x = x @ v
        n += 1
    return x, n


def first_at_least(values, x):
    i = 0
    while i < len(values) and values[i] < x.sum().item():
        i += 1
    return i


def otherwise(x, limit):
    n = 0
    while n < limit and x.sum() < 3 and not x[0] > 2.0:
        x = x + 0.3
        n += 1
    else:
        x = x * 2
    return x, n


def countdown(x):
    i = 5
    while i:
        x = x @ v
        i -= 1
    while 0 < i + 3 <= 3 and x.norm() > 0.01:
        x = x * 0.3
    return x


def bisect(x):
    low, high = 0, 16
    while low < high and low * low < 400:
        middle = (low + high) // 2
        if x.sum() * 10 > middle:
            low = middle + 1
        else:
            high = middle
    return low


def pop_until(x):
    stack, total = [x, x * 0.5], 0.0
    while stack and total < 4.0:
        total += stack.pop().abs().sum().item()
    return total, len(stack)


def episode(x, limit):
    scores, n, done = [], 0, False
    while n < limit and not done:
        score = (x @ w).log_softmax(0)
        scores.append(score[score.argmax()])
        x = (x @ v + 0.2).tanh()
        done = bool(x.sum() > 1.0)
        n += 1
    return scores, n


values = torch.arange(12).mul(0.1).tolist()
for i in range(60):
    x = torch.randn(3)
    if i == 40:
        settings.limit = 3
    if i == 50:
        settings.on = False
    y, n = shrink(x)
    k = first_at_least(values, x)
    u, q = otherwise(x, 5 + i % 2)
    c = countdown(x)
    low = bisect(x)
    total, left = pop_until(x)
    if i % 6 == 0 or i > 54:
        print(i, n, k, q, low, left, f"{total:.4f}")
        print(f"  {y.sum().item():.4f} {u.sum().item():.4f} {c.sum().item():.5f}")

for i in range(60):  # expect: tier 2, at most 6 entries in tier 0
    scores, n = episode(torch.randn(3), 9)
    loss = -torch.stack(scores).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.05 * w.grad
    w.grad = None
    if i % 10 == 0:
        print(i, n, f"{loss.item():.4f}")

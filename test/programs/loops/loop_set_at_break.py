"""Names that a loop sets only where it is left, or on one way through it."""
import torch

torch.manual_seed(0)


def newton(a, tol=1e-6, most=50):
    x = torch.ones_like(a)
    n = 0
    while True:
        new = 0.5 * (x + a / x)
        err = (new - x).abs().max()
        x = new
        n += 1
        if err < tol:
            ok, why = True, "close"
            break
        if n >= most:
            ok, why = False, "late"
            break
    return x, n, ok, why


for i in range(40):  # expect: tier 2, at most 10 entries in tier 0
    x, n, ok, why = newton(torch.rand(3) * 10.0 ** (i % 4) + 0.1, most=50 if i % 7 else 4)
    if i % 5 == 0 or not ok:
        print(i, n, ok, why, f"{x.sum().item():.3f}")


def first_above(xs, limit):
    for i in range(xs.shape[0]):
        if xs[i] > limit:
            found, value = i, xs[i] * 2
            break
    else:
        found, value = -1, torch.zeros(())
    return found, value


for i in range(40):
    found, value = first_above(torch.rand(3 + i % 9), 0.5 + 0.1 * (i % 6))
    if i % 5 == 0 or found < 0:
        print(i, found, f"{value.item():.3f}")


def unbound(xs, limit):
    total = xs.sum() * 0
    for i in range(xs.shape[0]):
        total = total + xs[i]
        if total > limit:
            where = i
            break
    return where, total


for i in range(40):
    try:
        where, total = unbound(torch.rand(4 + i % 5), 1.0 if i % 9 else 100.0)
        text = f"{where} {total.item():.3f}"
    except UnboundLocalError as e:
        text = str(e)
    if i % 4 == 0 or i % 9 == 0:
        print(i, text)


def settle(x, k):
    rounds = 0
    while True:
        x = x * 0.5 + 0.1
        rounds += 1
        steps = 0
        while True:
            x = x - 0.01
            steps += 1
            if x.sum() < 0.5:
                last = steps
                break
            if steps >= k:
                last = -steps
                break
        if last < 0 or rounds > 3:
            end = last
            break
    return x, end


for i in range(40):
    x, end = settle(torch.rand(2) * (1 + i % 3), 2 + i % 4)
    if i % 6 == 0:
        print(i, end, f"{x.sum().item():.3f}")

# Searches: loops over rows and pairs of rows that are left by `break` or by `return`, also out of two loops at once.
import torch

torch.manual_seed(6)


def first_above(x, limit):
    for i, row in enumerate(x):
        if row.mean() > limit:
            found = i
            break
    else:
        found = -1
    return found


def closest_pair(x, limit):
    for i in range(x.size(0)):
        for j in range(i + 1, x.size(0)):
            d = (x[i] - x[j]).norm()
            if d < limit:
                return i, j, d
    return None


def first_match(xs, ys, limit):
    for x, y in zip(xs, ys):
        for k in range(3):
            if (x * y).sum() > limit + k:
                return k
            x = x * 1.5
    return 9


def walk(x, steps):
    while steps > 0:
        for row in x:
            x = x + row * 0.1
            if x.abs().sum() > 40:
                return x, steps
        steps -= 1
    return x, 0


w = torch.randn(4, 4, requires_grad=True)


def loss_of_first(x):
    for row in x:
        for v in w:
            d = (row * v).sum()
            if d > 1:
                return d * 2
    return (w * 0.1).sum()


found, pairs, matches, steps = [], 0, [], 0
acc = torch.zeros(8)
for k in range(40):  # expect: tier 2, at most 8 entries in tier 0
    x = torch.randn(4, 8)
    found.append(first_above(x, 0.1 + 0.1 * (k % 6)))
for k in range(40):  # expect: tier 2, at most 8 entries in tier 0
    x = torch.randn(4, 8)
    pair = closest_pair(x, 2.8 + 0.1 * (k % 5))
    if pair is not None:
        i, j, d = pair
        pairs += 1
        acc = acc + (x[i] + x[j]) * d
for k in range(40):
    matches.append(first_match(torch.randn(4, 3), torch.randn(4, 3), 1.5))
for k in range(40):  # expect: tier 2, at most 8 entries in tier 0
    y, left = walk(torch.randn(3, 4), 4)
    steps += left
for k in range(40):  # expect: tier 2, at most 8 entries in tier 0
    loss = loss_of_first(torch.randn(3, 4))
    loss.backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
    w.grad = None
print(found)
print(pairs, [f"{v:.3f}" for v in acc.tolist()])
print(matches)
print(steps, f"{y.sum().item():.4f}")
print(f"{loss.item():.4f} {w.sum().item():.4f}")

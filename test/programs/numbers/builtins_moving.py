"""Built-in functions on what moves: abs, min and max by key, operator, math.prod, lists times an int."""
import math
import operator
import torch
torch.manual_seed(0)
ops = [operator.add, operator.sub, operator.mul, operator.neg, operator.truediv]
x, t = torch.ones(3), 0.0
for i in range(60):
    d = abs(i - 30) + abs(-2.5 * i) + abs(i % 3 - 1)
    f = ops[i % 5]
    x = f(x) if f is operator.neg else f(x, 1.0 + (i % 4))
    x = x.clamp(-5, 5)
    n = math.prod(x.shape) * math.prod([2, i % 3])
    row = [x] * (1 + i % 3)
    best = max([i % 7, i % 5, 3], key=lambda v: -abs(v - 4))
    least = min((i % 4 - 2, 1), default=0, key=abs)
    t += d + n + len(row) + best * 10 + least + torch.stack(row).sum().item()
print(f"{t:.4f}", x.tolist())
print(max([], default=None, key=len), min("abc", key=ord))
data = [(torch.full((2,), float(k)), k) for k in range(23)]
for epoch in range(4):
    for k in range(0, len(data), 5):
        batch = data[k:k + 5]
        xs = torch.stack([a for a, _ in batch])
        t += xs.sum().item() + sum(b for _, b in batch)
print(f"{t:.4f}")


def of_sets(i):
    """What does not depend on the order of a set."""
    y = torch.ones(3) * i
    seen = {i % 3, 5}
    seen.add(7)
    words = {"b", "a"}
    words.add("c")
    return sorted(seen), sorted(words, reverse=True), sum(seen), len(words), (y * 2 + y.mean()).sum()


for i in range(20):
    print(of_sets(i))

"""Hot code around calls that no graph contains: recursion over objects, input, sorting."""
import random

import torch

torch.manual_seed(3)
random.seed(3)


class Node:
    def __init__(self, value, children):
        self.value = value
        self.children = children


def grow(depth):
    children = [grow(depth - 1) for _ in range(random.randint(1, 3))] if depth else []
    return Node(random.random(), children)


w = torch.randn(4, 4, requires_grad=True)
v = torch.randn(4, requires_grad=True)
log = []


def encode(node):
    # Before, between and after calls of itself.
    total = v * node.value
    if not node.children:
        return torch.tanh(total)
    first = encode(node.children[0])
    total = total + first @ w
    for child in node.children[1:]:
        part = encode(child)
        total = torch.relu(total + part) * 0.5
    return torch.tanh(total)


def batch(step):
    # A generator expression, a sort by key, a set: the interpreter's business.
    order = sorted(range(3), key=lambda i: (i * 7 + step) % 5)
    return [order.index(i) for i in range(3)]


def step(i, x):
    y = torch.sin(x) * 2
    log.append(batch(i)[0])
    z = y + x.mean()
    print(f"{i}: {y.sum().item():.3f} {z.sum().item():.3f}") if i % 10 == 0 else None
    picked = batch(i + 1)
    return z * picked[1] + y


trees = [grow(3) for _ in range(4)]
for epoch in range(6):
    for tree in trees:
        encode(tree).sum().backward()
print([f"{g:.4f}" for g in v.grad.tolist()], f"{w.grad.sum().item():.4f}")

x = torch.linspace(0, 1, 5)
for i in range(40):
    x = step(i, x).clamp(-1, 1)
print([f"{a:.4f}" for a in x.tolist()], log)
total = torch.zeros(5)
for i in range(30):
    k = batch(i)
    total = total * 0.9 + x[k[0]] * k[1]
    if total.sum() > 100:
        break
print([f"{a:.4f}" for a in total.tolist()], i)

# A recursion that returns, keeps or leaves in place a tensor that was there before: it is that one.
import random

import torch
import torch.nn as nn

random.seed(1)
torch.manual_seed(1)


class Node:
    def __init__(self, v, left=None, right=None):
        self.v, self.left, self.right, self.h = v, left, right, None


def build(depth):
    if depth == 0 or random.random() < 0.4:
        return Node(random.randrange(3))
    return Node(0, build(depth - 1), build(depth - 1))


w = torch.randn(4)
zero = torch.zeros(4)


def walk(node, x):
    if node.left is None:
        return x if node.v > 1 else w
    return walk(node.left, x) + walk(node.right, x)


def keep(node):
    if node.left is None:
        node.h = zero if node.v > 0 else w * 2
    else:
        keep(node.left)
        keep(node.right)
        node.h = node.left.h + node.right.h + w


class Best(nn.Module):
    def forward(self, node):
        if node.left is None:
            if node.v > 1:
                self.best = self.best + w
            return 1
        return self(node.left) + self(node.right)


def leaves(node):
    return [node] if node.left is None else leaves(node.left) + leaves(node.right)


trees = [build(2) for _ in range(8)]
same = kept = 0
for step in range(40):
    x = torch.ones(4)
    y = walk(trees[step % 8], x)
    same += y is x
    if step % 5 == 4:
        print(step, f"{y.sum().item():.4f}", same, y is x, y is w)
for step in range(40):
    keep(trees[step % 8])
    kept += trees[step % 8].h is zero
print(kept, sum(n.h is zero for t in trees for n in leaves(t)))
best = Best()
same = 0
for step in range(40):
    first = torch.zeros(4)
    best.best = first
    n = best(trees[step % 8])
    first += 1
    same += best.best is first
    if step % 5 == 4:
        print(step, n, f"{best.best.sum().item():.4f}", best.best is first, same)

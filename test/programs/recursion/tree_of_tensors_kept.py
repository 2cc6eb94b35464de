# A recursion that keeps what it computed in its nodes, and views of what they hold.
import torch

torch.manual_seed(4)


class Node:
    def __init__(self, x, kids):
        self.x = x
        self.kids = kids
        self.h = None


def up(node):
    s = node.x[:2] + node.x[2:]
    for k in node.kids:
        s = s + up(k)
    node.h = s
    return s


def deepest(node, best):
    v = node.x.max()
    best = torch.maximum(best, v)
    for k in node.kids:
        best = deepest(k, best)
    return best


def make(d):
    return Node(torch.randn(4), [make(d - 1) for _ in range(d)])


trees = [make(d) for d in (0, 1, 2, 3)]
acc = torch.zeros(2)
for i in range(80):
    t = trees[i % 4]
    acc = acc + up(t) + t.h
    acc = acc / acc.norm()
print(acc)
print([f"{sum(k.h.sum().item() for k in t.kids):.4f}" for t in trees])
best = torch.tensor(-10.0)
for i in range(60):
    best = deepest(trees[i % 4], best * 0.5)
print(best)

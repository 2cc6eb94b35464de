# Recursions that no graph of their own can be: they change what is outside, return what they were
# given, write to the objects they go over, or meet things of other kinds later on.
import torch


class Node:
    def __init__(self, v, kids=()):
        self.v, self.kids, self.seen = v, list(kids), 0


def build(d, i=0):
    return Node(0.1 * i, [build(d - 1, i + 1), build(d - 1, i + 2)] if d else [])


def collect(node, w, out):
    h = torch.tanh(w * node.v)
    for kid in node.kids:
        h = h + 0.5 * collect(kid, w, out)
    out.append(h)
    return h


def count(node, w):
    node.seen += 1
    return w * node.v + sum(count(kid, w) for kid in node.kids)


def deepest(node, w):
    best = node
    for kid in node.kids:
        other = deepest(kid, w)
        if (w * other.v).sum() > (w * best.v).sum():
            best = other
    return best


def grown(node, w, out):
    for kid in node.kids:
        grown(kid, w, out)
    out.append((w * node.v).sum())
    return out


def plain(node, w):
    if not node.kids:
        return w * node.v
    return torch.sin(plain(node.kids[0], w)) - plain(node.kids[1], w)


w = torch.tensor([1.0, -2.0])
trees = [build(d) for d in (1, 2, 3)]
for k in range(18):
    tree = trees[k % 3]
    out, more = [], []
    h = collect(tree, w, out)
    s = count(tree, w)
    d = deepest(tree, w)
    same = grown(tree, w, more) is more
    p = plain(tree, w)
    if k == 14:
        tree.kids[0].kids = []
    if k == 16:
        trees[0].kids[1].v = 3  # an int now
    if k % 3 == 1:
        print(len(out), f"{h.sum().item():.5f} {s.sum().item():.5f}", d.v, same, len(more), f"{p.sum():.5f}", tree.seen)
trees[2].kids[0].kids = [Node(0.5)]
try:
    plain(trees[2], w)
except IndexError as e:
    print("IndexError:", e)
trees[2].kids[1].v = None
trees[2].kids[1].kids = []
trees[2].kids[0].kids = []
try:
    plain(trees[2], w)
except TypeError as e:
    print("TypeError")

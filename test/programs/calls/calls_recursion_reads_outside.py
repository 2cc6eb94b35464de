# What a recursion reads of the region around it changes between its calls.
import torch
torch.manual_seed(0)
class Node:
    def __init__(self, l=None, r=None, v=0.0):
        self.left, self.right, self.v = l, r, v
def make(d, k):
    if d == 0:
        return Node(v=float(k))
    return Node(make(d - 1, 2 * k), make(d - 1, 2 * k + 1))
scale = 1.0
class M:
    def __init__(self):
        self.w = torch.rand(2)
        self.k = 1.0
        self.cfg = {"a": 1.0}
        self.ws = [torch.rand(2), torch.rand(2)]
    def rec(self, node):
        if node.left is None:
            return torch.full((2,), node.v) * self.w * self.k * scale * self.cfg["a"] + self.ws[0]
        return torch.tanh(self.rec(node.left) + self.rec(node.right)) * 0.3
    def step(self, t):
        global scale
        self.k = 1.0
        scale = 1.0
        self.cfg["a"] = 1.0
        a = self.rec(t)
        self.k = 2.0
        b = self.rec(t)
        scale = 0.5
        c = self.rec(t)
        self.cfg["a"] = 0.1
        d = self.rec(t)
        self.w = self.w * 1.1
        e = self.rec(t)
        self.ws[0] = self.ws[0] + 0.1
        f = self.rec(t)
        return a, b, c, d, e, f
trees = [make(d % 3 + 1, d) for d in range(6)]
m = M()
for i in range(12):
    r = m.step(trees[i % 6])
    if i % 4 == 0:
        print(r)
def outer_k(tree, k):
    def rec(node):
        if node.left is None:
            return torch.full((2,), node.v) * k
        return torch.tanh(rec(node.left) + rec(node.right))
    x = rec(tree)
    k = k * 2
    y = rec(tree)
    return x - y
w = torch.rand(2)
for i in range(12):
    r = outer_k(trees[i % 6], w)
    if i % 4 == 0:
        print(r)
def outer(tree, w):
    def rec(node):
        if node.left is None:
            return torch.full((2,), node.v) * w
        return torch.tanh(rec(node.left) + rec(node.right))
    return rec(tree)
a = torch.rand(2); b = torch.rand(2) * 3
trees = [make(d % 3 + 1, d) for d in range(6)]
def step_of(t):
    return outer(t, a) - outer(t, b) + outer(t, 0.25)
for i in range(30):
    r = step_of(trees[i % 6])
    if i % 5 == 0:
        print(r)

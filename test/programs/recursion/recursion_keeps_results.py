# What a recursion keeps on its nodes is also what it returns, or what others hold: one object, not two.
import random

import torch
import torch.nn as nn

random.seed(8)
torch.manual_seed(8)


class Node:
    def __init__(self, word=None, left=None, right=None):
        self.word, self.left, self.right = word, left, right
        self.h = self.c = None


def build(depth):
    if depth == 0 or random.random() < 0.25:
        return Node(word=random.randrange(5))
    return Node(left=build(depth - 1), right=build(depth - 1))


class TreeLSTM(nn.Module):
    def __init__(self, dim=5):
        super().__init__()
        self.leaf, self.join = nn.Embedding(5, 2 * dim), nn.Linear(2 * dim, 5 * dim)

    def cell(self, node):
        if node.left is None:
            c, h = self.leaf(torch.tensor(node.word)).chunk(2)
            return torch.tanh(h), torch.sigmoid(c)
        i, f1, f2, o, u = self.join(torch.cat([node.left.h, node.right.h])).chunk(5)
        c = torch.sigmoid(i) * torch.tanh(u) + torch.sigmoid(f1) * node.left.c
        c = c + torch.sigmoid(f2) * node.right.c
        return torch.sigmoid(o) * torch.tanh(c), c

    def forward(self, node):
        if node.left is not None:
            self(node.left)
            self(node.right)
        h, c = self.cell(node)
        node.h, node.c = h, c
        return h, c


class Gathering(TreeLSTM):
    def forward(self, node):
        self.states = []
        self.visit(node)
        return self.states

    def visit(self, node):
        if node.left is not None:
            self.visit(node.left)
            self.visit(node.right)
        node.h, node.c = self.cell(node)
        self.states.append(node.h)


class Reporting(TreeLSTM):
    def forward(self, node):
        if node.left is not None:
            self(node.left)
            self(node.right)
        node.h, node.c = self.cell(node)
        node.pair = {"h": node.h, "c": node.c}
        return node.pair


trees = [build(3) for _ in range(12)]
trees = [t for t in trees if t.left is not None]


def train(net, loss_of, epochs=5):
    opt = torch.optim.Adam(net.parameters(), lr=0.02)
    for epoch in range(epochs):
        total = 0.0
        for tree in trees:
            result = net(tree)
            loss = loss_of(result)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        print(epoch, f"{total:.3f}")
    return tree, result


net = TreeLSTM()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(60):
    tree = trees[step % len(trees)]
    h, c = net(tree)
    loss = h.sum() ** 2 + c.mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 20 == 19:
        print(f"{loss.item():.3f}", h is tree.h, c is tree.c, tree.left.h is tree.h, tree.h.grad_fn.name())
tree, (h, c) = train(TreeLSTM(), lambda r: r[0].sum() ** 2 + r[1].mean())
print(h is tree.h, c is tree.c)
with torch.no_grad():
    h.zero_()
print(tree.h.abs().sum().item(), f"{tree.left.h.sum().item():.3f}")
tree, states = train(Gathering(), lambda states: torch.stack(states).pow(2).mean())
print(len(states), states[-1] is tree.h, states[0].requires_grad, any(s is tree.left.h for s in states))
tree, pair = train(Reporting(), lambda pair: pair["h"].sum() ** 2 + pair["c"].mean())
print(pair is tree.pair, pair["h"] is tree.h, tree.left.pair["c"] is tree.left.c)

# What recursions give back: dicts, sums of tensors kept around them, and what functions or modules named by text make.
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

random.seed(1)
torch.manual_seed(1)


class Node:
    def __init__(self, word=None, left=None, right=None, op=None, label=0):
        self.word, self.left, self.right, self.op, self.label = word, left, right, op, label

    def is_leaf(self):
        return self.left is None


def build(depth):
    if depth == 0 or random.random() < 0.25:
        return Node(word=random.randrange(5), label=random.randrange(2))
    op = random.choice(["and", "or", "not"])
    return Node(left=build(depth - 1), right=build(depth - 1), op=op, label=random.randrange(2))


trees = [build(3) for _ in range(20)]


def train(net, step, epochs=4):
    opt = torch.optim.SGD(net.parameters(), lr=0.05)
    for epoch in range(epochs):
        total = 0.0
        for tree in trees:
            loss = step(net, tree)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        print(epoch, f"{total:.3f}")


class Summed(nn.Module):
    def __init__(self, dim=6):
        super().__init__()
        self.emb, self.join, self.out = nn.Embedding(5, dim), nn.Linear(2 * dim, dim), nn.Linear(dim, 2)
        self.nodes = 0

    def walk(self, node):
        if node.is_leaf():
            h = self.emb(torch.tensor([node.word]))
        else:
            h = torch.tanh(self.join(torch.cat([self.walk(node.left), self.walk(node.right)], 1)))
        self.loss = self.loss + F.cross_entropy(self.out(h), torch.tensor([node.label]))
        self.best = torch.maximum(self.best, h.detach().max())
        self.nodes += 1
        return h

    def forward(self, node):
        self.loss = torch.tensor(0.0)
        self.best = torch.tensor(-9.0)
        self.walk(node)
        return self.loss


net = Summed()
train(net, lambda net, tree: net(tree))
print(net.nodes, f"{net.best.item():.3f} {net.loss.item():.3f}", net.loss.requires_grad, net.best.requires_grad)


def summed_outside(net, tree):
    loss = torch.zeros(())
    deepest = 0

    def walk(node, depth):
        nonlocal loss, deepest
        deepest = max(deepest, depth)
        if node.is_leaf():
            h = net.emb(torch.tensor([node.word]))
        else:
            h = torch.tanh(net.join(torch.cat([walk(node.left, depth + 1), walk(node.right, depth + 1)], 1)))
        loss = loss + F.cross_entropy(net.out(h), torch.tensor([node.label]))
        return h

    walk(tree, 1)
    return loss / deepest


train(Summed(), summed_outside)


class Dicts(nn.Module):
    def __init__(self, dim=6):
        super().__init__()
        self.emb, self.join, self.out = nn.Embedding(5, 2 * dim), nn.Linear(2 * dim, 4 * dim), nn.Linear(dim, 2)

    def forward(self, node):
        if node.is_leaf():
            c, h = self.emb(torch.tensor([node.word])).chunk(2, 1)
            return {"c": c, "h": h, "size": 1}
        left, right = self(node.left), self(node.right)
        i, o, f, u = self.join(torch.cat([left["h"], right["h"]], 1)).chunk(4, 1)
        c = torch.sigmoid(i) * torch.tanh(u) + torch.sigmoid(f) * (left["c"] + right["c"])
        return {"c": c, "h": torch.sigmoid(o) * torch.tanh(c), "size": left["size"] + right["size"]}


def with_size(net, tree):
    state = net(tree)
    return F.cross_entropy(net.out(state["h"]), torch.tensor([tree.label])) * state["size"]


train(Dicts(), with_size)


class Named(nn.Module):
    def __init__(self, dim=6):
        super().__init__()
        self.emb, self.out = nn.Embedding(5, dim), nn.Linear(dim, 2)
        self.ops = nn.ModuleDict({k: nn.Linear(2 * dim, dim) for k in ("and", "or", "not")})

    def forward(self, node):
        if node.is_leaf():
            return self.emb(torch.tensor([node.word]))
        return torch.tanh(self.ops[node.op](torch.cat([self(node.left), self(node.right)], 1)))


def classify(net, tree):
    return F.cross_entropy(net.out(net(tree)), torch.tensor([tree.label]))


train(Named(), classify)
OPS = {"and": torch.minimum, "or": torch.maximum, "not": lambda a, b: a - 0.5 * b}


class Looked(Named):
    def forward(self, node):
        if node.is_leaf():
            return self.emb(torch.tensor([node.word]))
        scale = {"and": 0.5, "or": 0.7}
        op = OPS.get(node.op, torch.add)
        return op(self(node.left), self(node.right)) * scale.get(node.op, 0.6)


train(Looked(), classify)
trees[3] = Node(left=trees[0], right=trees[1], op="nand")
train(Looked(), classify)


class Strict(Named):
    def forward(self, node):
        if node.is_leaf():
            return self.emb(torch.tensor([node.word]))
        return OPS[node.op](self(node.left), self(node.right))


try:
    train(Strict(), classify)
except KeyError as e:
    print("KeyError", e)

# Recursion in loops over children, in all the ways in which people go over a list.
import torch
import torch.nn as nn
import random


class Node:
    def __init__(self, value, children):
        self.value = value
        self.children = children


def make(depth, kind):
    n = random.randrange(0, 4) if depth else 0
    return Node(random.random(), kind(make(depth - 1, kind) for _ in range(n)))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Linear(3, 3)
        self.u = nn.Linear(3, 3)

    def leaf(self, node):
        return self.w(torch.full((1, 3), node.value))

    def added(self, node):
        h = self.leaf(node)
        for child in node.children:
            h = h + self.u(self.added(child))
        return torch.tanh(h)

    def numbered(self, node):
        h = self.leaf(node)
        for i, child in enumerate(node.children):
            h = h * 0.5 + self.numbered(child) / (i + 1)
        return torch.tanh(h)

    def indexed(self, node):
        h = self.leaf(node)
        i = 0
        while i < len(node.children):
            h = h + self.u(self.indexed(node.children[i]))
            i += 1
        for i in range(len(node.children)):
            h = h + node.children[-i - 1].value
        return torch.tanh(h)

    def stacked(self, node):
        h = self.leaf(node)
        hs = [self.stacked(c) for c in node.children]
        if len(hs) > 0:
            h = h + self.u(torch.stack(hs).mean(0))
        return torch.tanh(h)

    def kept(self, node):
        h = self.leaf(node)
        hs = []
        for c in node.children:
            hs.append(self.kept(c))
        for x in hs:
            h = h + self.u(x)
        return torch.tanh(h)

    def attended(self, node):
        h = self.leaf(node)
        if not node.children:
            return torch.tanh(h)
        hs = torch.cat([self.attended(c) for c in node.children])
        scores = torch.softmax(hs @ h.t(), 0)
        return torch.tanh(h + self.u((scores * hs).sum(0, keepdim=True)))


random.seed(1)
torch.manual_seed(1)
net = Net()
for kind in (list, tuple):
    trees = [make(3, kind) for _ in range(8)]
    for how in (net.added, net.numbered, net.indexed, net.stacked, net.kept, net.attended):
        for step in range(16):
            net.zero_grad()
            loss = how(trees[step % 8]).pow(2).sum()
            loss.backward()
            grads = [p.grad if p.grad is None else round(p.grad.sum().item(), 3) for p in net.parameters()]
            if step > 11:
                print(how.__name__, step, f"{loss.item():.4f}", grads)
            with torch.no_grad():
                for p in net.parameters():
                    if p.grad is not None:
                        p -= 0.05 * p.grad
# A list that grows meanwhile, and an index that no list has.
deep = Node(0.5, [Node(0.25, [])])
for i in range(12):
    deep.children.append(Node(i / 10, []))
    print(f"{net.added(deep).sum().item():.4f}", f"{net.indexed(deep).sum().item():.4f}")

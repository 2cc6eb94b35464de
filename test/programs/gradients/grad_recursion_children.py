# A child-sum tree network: any number of children, states in a list of tuples, gradients of all of it.
import random
import torch
import torch.nn as nn


class Node:
    def __init__(self, word, children):
        self.word = word
        self.children = children


def make(depth):
    if depth == 0 or random.random() < 0.25:
        return Node(random.randrange(10), [])
    return Node(random.randrange(10), [make(depth - 1) for _ in range(random.randrange(1, 5))])


class ChildSum(nn.Module):
    def __init__(self, dim, hid):
        super().__init__()
        self.emb = nn.Embedding(10, dim)
        self.iou = nn.Linear(dim, 3 * hid)
        self.uiou = nn.Linear(hid, 3 * hid, bias=False)
        self.f = nn.Linear(dim, hid)
        self.uf = nn.Linear(hid, hid, bias=False)
        self.hid = hid

    def node(self, node):
        x = self.emb(torch.tensor(node.word))
        states = [self.node(c) for c in node.children]
        if states:
            h_sum = sum(h for h, c in states)
        else:
            h_sum = torch.zeros(self.hid)
        i, o, u = (self.iou(x) + self.uiou(h_sum)).chunk(3)
        c = torch.sigmoid(i) * torch.tanh(u)
        fx = self.f(x)
        for hk, ck in states:
            c = c + torch.sigmoid(fx + self.uf(hk)) * ck
        return torch.sigmoid(o) * torch.tanh(c), c


random.seed(3)
torch.manual_seed(3)
model = ChildSum(3, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
trees = [make(3) for _ in range(12)]
for step in range(36):  # expect: tier 2, at most 15 entries in tier 0
    optimizer.zero_grad()
    h, c = model.node(trees[step % 12])
    loss = (h * c).sum()
    loss.backward()
    # A single leaf uses neither the forget gates nor their weights.
    used = "".join("-" if p.grad is None else "+" for p in model.parameters())
    optimizer.step()
    print(step, f"{loss.item():.4f}", used)

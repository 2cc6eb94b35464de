# (h, c) of a recursion, children in lists, a parameter that only some trees use
import random
import torch
import torch.nn as nn

torch.manual_seed(5)
rng = random.Random(5)


class Node:
    def __init__(self, children=(), word=-1):
        self.children = list(children)
        self.word = word


def build(leaves):
    if leaves == 1:
        return Node(word=rng.randrange(7))
    cut = rng.randint(1, leaves - 1)
    return Node([build(cut), build(leaves - cut)])


class TreeLSTM(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(7, 5)
        self.leaf = nn.Linear(5, 12)
        self.left = nn.Linear(4, 20)
        self.right = nn.Linear(4, 20, bias=False)
        self.out = nn.Linear(4, 1)

    def cell(self, node):
        if not node.children:
            i, o, u = self.leaf(self.embedding(torch.tensor([node.word]))).chunk(3, dim=1)
            c = torch.sigmoid(i) * torch.tanh(u)
        else:
            (hl, cl), (hr, cr) = [self.cell(child) for child in node.children]
            i, fl, fr, o, u = (self.left(hl) + self.right(hr)).chunk(5, dim=1)
            c = torch.sigmoid(i) * torch.tanh(u) + torch.sigmoid(fl) * cl + torch.sigmoid(fr) * cr
        return torch.sigmoid(o) * torch.tanh(c), c

    def forward(self, root):
        return self.out(self.cell(root)[0]).squeeze()


model = TreeLSTM()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
trees = [build(rng.randint(1, 8)) for _ in range(40)]


def step(tree, target):
    optimizer.zero_grad()
    loss = (model(tree) - target) ** 2
    loss.backward()
    optimizer.step()
    return loss.item()


for epoch in range(3):
    print(f"{sum(step(t, len(t.children) - 0.5) for t in trees):.6f}")
    print([p.grad is None for p in model.parameters()])
print([f"{p.grad.double().sum().item():.6f}" for p in model.parameters() if p.grad is not None])
fresh = TreeLSTM()
for t in trees[:12]:
    fresh.zero_grad()
    fresh(t).backward()
    print([None if p.grad is None else round(p.grad.abs().sum().item(), 5) for p in fresh.parameters()])
    for p in fresh.parameters():
        p.grad = None

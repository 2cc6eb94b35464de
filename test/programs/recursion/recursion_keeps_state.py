# Trees whose nodes keep what was computed for them.
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

random.seed(4)
torch.manual_seed(4)


class Node:
    def __init__(self, word=None, left=None, right=None):
        self.word, self.left, self.right = word, left, right
        self.h = None
        self.depth = 0


def build(depth):
    if depth == 0 or random.random() < 0.25:
        return Node(word=random.randrange(5))
    return Node(left=build(depth - 1), right=build(depth - 1))


class Net(nn.Module):
    def __init__(self, dim=6):
        super().__init__()
        self.emb = nn.Embedding(5, dim)
        self.join, self.out = nn.Linear(2 * dim, dim), nn.Linear(dim, 2)

    def walk(self, node):
        if node.left is None:
            node.h = self.emb(torch.tensor([node.word]))
            node.depth = 1
        else:
            self.walk(node.left)
            self.walk(node.right)
            node.h = torch.relu(self.join(torch.cat([node.left.h, node.right.h], 1)))
            node.depth = 1 + max(node.left.depth, node.right.depth)

    def forward(self, root):
        self.walk(root)
        return self.out(root.h)


def show(node, level=0):
    if level < 2:
        kind = type(node.h.grad_fn).__name__
        print("  " * level, node.depth, kind, node.h.requires_grad, f"{node.h.sum().item():.3f}")
        if node.left is not None:
            show(node.left, level + 1)
            show(node.right, level + 1)


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.05)
trees = [(build(4), torch.tensor([random.randrange(2)])) for _ in range(20)]
for epoch in range(5):
    total = 0.0
    for tree, label in trees:  # expect: tier 2, at most 15 entries in tier 0
        loss = F.cross_entropy(net(tree), label)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    print(epoch, f"{total:.3f}", sum(t.depth for t, _ in trees))
    show(trees[epoch][0])
try:
    trees[-1][0].h.sum().backward()
except RuntimeError as e:
    print("a second time" in str(e))

# Without gradients what is kept has none.
with torch.no_grad():
    for _ in range(3):
        print(f"{sum(net(t).sum().item() for t, _ in trees):.3f}", end=" ")
        print(trees[1][0].h.requires_grad, trees[1][0].left is None or trees[1][0].left.h.grad_fn)


# The pair that is kept is the one that is returned.
class TreeLSTM(nn.Module):
    def __init__(self, dim=5):
        super().__init__()
        self.leaf, self.join = nn.Embedding(5, 2 * dim), nn.Linear(2 * dim, 5 * dim)

    def forward(self, tree):
        if tree.left is None:
            c, h = self.leaf(torch.tensor(tree.word)).chunk(2)
        else:
            self(tree.left)
            self(tree.right)
            (c1, h1), (c2, h2) = tree.left.h, tree.right.h
            i, f1, f2, o, u = self.join(torch.cat([h1, h2])).chunk(5)
            c = torch.sigmoid(i) * torch.tanh(u) + torch.sigmoid(f1) * c1 + torch.sigmoid(f2) * c2
            h = torch.sigmoid(o) * torch.tanh(c)
        tree.h = c, h
        return tree.h


lstm = TreeLSTM()
opt = torch.optim.Adam(lstm.parameters(), lr=0.01)
same = 0
for epoch in range(5):
    total = 0.0
    for tree, label in trees:  # expect: tier 2, at most 15 entries in tier 0
        state = lstm(tree)
        loss = (state[1].sum() - label.item()) ** 2 + state[0].mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        same += state is tree.h
        total += loss.item()
    print(epoch, f"{total:.3f}", same)
root = trees[2][0]
print([type(t.grad_fn).__name__ for t in root.h + (root.left.h if root.left else ())])

# A node at two places of a tree: its second state is read at both.
shared = build(2)
dag = Node(left=shared, right=Node(left=shared, right=shared))
net.train()
for step in range(30):
    tree = dag if step % 10 == 7 else trees[step % 20][0]
    loss = net(tree).pow(2).sum()
    opt.zero_grad()
    net.zero_grad()
    loss.backward()
    if step % 10 == 7:
        print(f"{loss.item():.4f}", f"{net.emb.weight.grad.sum().item():.4f}", dag.depth, shared.h is dag.left.h)

# A word that no embedding has: what the walk kept before is there.
bad = Node(left=trees[3][0], right=Node(word=7))
for tree in [trees[0][0], trees[1][0], bad, trees[2][0]]:
    for node in (tree, tree.left or tree, tree.right or tree):
        node.h, node.depth = None, 0
    try:
        print(f"{net(tree).sum().item():.4f}", end=" ")
    except IndexError:
        print("IndexError", bad.left.depth, bad.left.h is None, bad.right.h, bad.depth, end=" ")
print()

# A tree network whose nodes all append to one list that is handed down; gradients of several trees add
# up, and trees of one node leave some parameters without any.
import random
import torch
import torch.nn as nn
import torch.nn.functional as F


class Node:
    def __init__(self, word, children, label):
        self.word = word
        self.children = children
        self.label = label


def make(n):
    if n == 1:
        word = random.randrange(8)
        return Node(word, [], word % 2)
    k = random.randrange(1, n)
    children = [make(k), make(n - k)]
    return Node(0, children, children[0].label ^ children[1].label)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(8, 4)
        self.join = nn.Linear(8, 4)
        self.out = nn.Linear(4, 2)

    def node(self, node, outputs):
        if not node.children:
            h = torch.tanh(self.embedding(torch.tensor([node.word])))
        else:
            a, b = [self.node(c, outputs) for c in node.children]
            h = torch.tanh(self.join(torch.cat((a, b), 1)))
        outputs.append((self.out(h), node.label))
        return h

    def forward(self, root):
        outputs = []
        self.node(root, outputs)
        return torch.cat([o for o, _ in outputs]), torch.tensor([label for _, label in outputs])


class Trainer:
    def __init__(self, net, trees):
        self.net, self.trees, self.next = net, trees, 0
        self.optimizer = torch.optim.Adam(net.parameters(), lr=0.01)

    def step(self, batch):
        self.optimizer.zero_grad()
        total = 0.0
        for _ in range(batch):
            logits, labels = self.net(self.trees[self.next])
            self.next = (self.next + 1) % len(self.trees)
            loss = F.cross_entropy(logits, labels) / batch
            loss.backward()
            total += loss.item()
        self.optimizer.step()
        return total


random.seed(5)
torch.manual_seed(5)
trainer = Trainer(Net(), [make(1 if i % 8 < 5 else random.randrange(2, 7)) for i in range(40)])
for step in range(60):  # expect: tier 2, at most 10 entries in tier 0
    loss = trainer.step(3)
    print(step, f"{loss:.4f}", ["-" if p.grad is None else f"{p.grad.abs().sum().item():.3f}" for p in trainer.net.parameters()])
# What was read is what it was when more is added to it.
net = trainer.net
for i in range(16):
    net.zero_grad()
    for k in range(2):
        logits, labels = net(trainer.trees[(7 * i + k) % 40])
        F.cross_entropy(logits, labels).backward()
        if k == 0:
            first = net.join.weight.grad
    same = first is net.join.weight.grad
    print(i, same, None if first is None else f"{first.sum().item():.3f}")

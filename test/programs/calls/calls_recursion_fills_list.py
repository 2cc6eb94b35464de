# A recursion that fills a list handed down to it, counts on self, and drops out.
import torch
import torch.nn as nn
import torch.nn.functional as F
import random
torch.manual_seed(0)
random.seed(0)
class Node:
    def __init__(self, children=(), word=0):
        self.children = list(children)
        self.word = word
        self.label = word % 3
def make(n):
    if n == 1:
        return Node(word=random.randrange(10))
    k = random.randint(1, n - 1)
    return Node([make(k), make(n - k)], word=n)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.e = nn.Embedding(10, 4)
        self.l = nn.Linear(4, 4)
        self.r = nn.Linear(4, 4)
        self.o = nn.Linear(4, 3)
        self.drop = nn.Dropout(0.2)
        self.visited = 0
    def node(self, n, outs):
        self.visited += 1
        if not n.children:
            h = self.e(torch.tensor([n.word]))
        else:
            a, b = [self.node(c, outs) for c in n.children]
            h = torch.tanh(self.l(a) + self.r(b))
        h = self.drop(h)
        outs.append((self.o(h), n.label))
        return h
    def forward(self, root):
        outs = []
        self.node(root, outs)
        return torch.cat([x for x, _ in outs]), torch.tensor([y for _, y in outs])
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
trees = [make(random.randint(2, 12)) for _ in range(20)]
for step in range(30):
    opt.zero_grad()
    total = 0.0
    for i in range(3):
        logits, labels = net(trees[(step * 3 + i) % 20])
        loss = F.cross_entropy(logits, labels)
        loss.backward()
        total += loss.item()
    opt.step()
    if step % 5 == 0:
        print(step, round(total, 5), net.visited)
print(torch.rand(2))

# A recursive network over trees is one graph with its gradient: the step never leaves it.
import random
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(4)
rng = random.Random(4)


class Tree:
    def __init__(self, word=None, left=None, right=None):
        self.word, self.left, self.right = word, left, right

    @property
    def is_leaf(self):
        return self.word is not None


def build(leaves):
    if leaves == 1:
        return Tree(rng.randrange(12))
    cut = rng.randint(1, leaves - 1)
    return Tree(None, build(cut), build(leaves - cut))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(12, 6)
        self.combine = nn.Linear(12, 6)
        self.out = nn.Linear(6, 3)

    def encode(self, tree):
        if tree.is_leaf:
            return self.words.weight[tree.word].unsqueeze(0)
        left = self.encode(tree.left)
        right = self.encode(tree.right)
        return torch.tanh(self.combine(torch.cat([left, right], 1)))

    def forward(self, tree):
        return self.out(self.encode(tree))


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
trees = [build(rng.randint(1, 9)) for _ in range(30)]


def step(tree, label):
    optimizer.zero_grad()
    loss = F.cross_entropy(net(tree), torch.tensor([label]))
    loss.backward()
    optimizer.step()
    return loss.item()


for epoch in range(4):
    total = 0.0
    for i, tree in enumerate(trees):  # expect: tier 2, at most 20 entries in tier 0
        total += step(tree, i % 3)
    print(f"{total:.6f}")
print([f"{v:.6f}" for v in net.words.weight.grad.sum(1).tolist()])
print(sum(p.double().abs().sum().item() for p in net.parameters()))

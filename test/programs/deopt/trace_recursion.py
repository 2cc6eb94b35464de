# Recursion over trees of any form, with gradients: nothing is known about the tree beforehand.
import random
import torch
import torch.nn as nn

torch.manual_seed(6)
rng = random.Random(6)


class Tree:
    def __init__(self, left=None, right=None, value=None):
        self.left = left
        self.right = right
        self.value = value


def build(depth):
    if depth == 0 or rng.random() < 0.25:
        return Tree(value=rng.randrange(5))
    return Tree(build(depth - 1), build(depth - 1))


def count(tree):
    return 1 if tree.value is not None else count(tree.left) + count(tree.right)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.leaves = nn.Embedding(5, 4)
        self.node = nn.Linear(8, 4)
        self.out = nn.Linear(4, 1)

    def encode(self, tree, depth):
        if tree.value is not None:
            return self.leaves(torch.tensor([tree.value])) / depth
        pair = torch.cat([self.encode(tree.left, depth + 1), self.encode(tree.right, depth + 1)], 1)
        return torch.tanh(self.node(pair))

    def forward(self, tree):
        return self.out(self.encode(tree, 1)).squeeze()


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
trees = [build(4) for _ in range(12)]


def step(tree):
    optimizer.zero_grad()
    loss = (net(tree) - count(tree) / 8) ** 2
    loss.backward()
    optimizer.step()
    return loss.item()


for epoch in range(5):
    print(f"epoch {epoch} loss {sum(step(tree) for tree in trees):.5f}")
print([count(tree) for tree in trees])
print([f"{v:.4f}" for v in net.node.weight.grad[0].tolist()])

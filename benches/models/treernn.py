"""A recursive network over parse trees, which are Python objects.

    python benches/models/treernn.py [STEPS [SEED]]

The task: the sign of a tree is the product of the signs of its words below a negation, so that
what a node means depends on the structure under it.
"""

import random
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

VOCABULARY = 40
HIDDEN = 64
CLASSES = 2
SHOWN = 24


class Tree:
    def __init__(self, word=None, left=None, right=None):
        self.word = word
        self.left = left
        self.right = right
        self.label = 0

    @property
    def is_leaf(self):
        return self.word is not None


def random_tree(leaves):
    if leaves == 1:
        return Tree(word=random.randrange(VOCABULARY))
    cut = random.randint(1, leaves - 1)
    return Tree(left=random_tree(cut), right=random_tree(leaves - cut))


def score(tree):
    """Words count for or against; the first words negate what stands right of them."""
    if tree.is_leaf:
        value = 1 if tree.word % 2 else -1
    elif tree.left.is_leaf and tree.left.word < 8:
        value = -score(tree.right)
    else:
        value = score(tree.left) + score(tree.right)
    tree.label = 1 if value > 0 else 0
    return value


class TreeRNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, HIDDEN)
        self.combine = nn.Linear(2 * HIDDEN, HIDDEN)
        self.classify = nn.Linear(HIDDEN, CLASSES)

    def encode(self, tree):
        if tree.is_leaf:
            return self.embedding.weight[tree.word].unsqueeze(0)
        left = self.encode(tree.left)
        right = self.encode(tree.right)
        return torch.tanh(self.combine(torch.cat([left, right], 1)))

    def forward(self, tree):
        return self.classify(self.encode(tree))


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.Adagrad(model.parameters(), lr=0.03)

    def step(self, tree):
        self.optimizer.zero_grad()
        loss = F.cross_entropy(self.model(tree), torch.tensor([tree.label]))
        loss.backward()
        self.optimizer.step()
        return loss.item()


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else SHOWN
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    torch.manual_seed(seed)
    random.seed(seed)
    trees = [random_tree(random.randint(4, 24)) for _ in range(300)]
    for tree in trees:
        score(tree)
    train, test = trees[:240], trees[240:]
    model = TreeRNN()
    trainer = Trainer(model)
    start = time.perf_counter()
    for step in range(steps):
        if step == steps // 2:
            start = time.perf_counter()
        loss = trainer.step(train[step % len(train)])
        if step < SHOWN or step % (steps // 400 or 1) == 0:
            print(f"step {step:2d}  loss {loss:.6f}")
    seconds = time.perf_counter() - start
    hits = 0
    with torch.no_grad():
        for tree in test:
            hits += int(model(tree).argmax(1).item() == tree.label)
    print(f"accuracy {hits / len(test):.4f} after {steps} steps")
    if len(sys.argv) > 1:
        print(f"{(steps - steps // 2) / seconds:.2f} steps/s")


if __name__ == "__main__":
    main()

"""A binary TreeLSTM over parse trees, which are Python objects; every node has a label.

    python benches/models/treelstm.py [STEPS [SEED]]
"""

import random
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

VOCABULARY = 60
EMBEDDED = 32
HIDDEN = 48
CLASSES = 3
BATCH = 4
SHOWN = 22


class Node:
    def __init__(self, children=(), word=-1):
        self.children = list(children)
        self.word = word
        self.label = None


def random_tree(leaves, rng):
    if leaves == 1:
        return Node(word=rng.randrange(VOCABULARY))
    cut = rng.randint(1, leaves - 1)
    return Node([random_tree(cut, rng), random_tree(leaves - cut, rng)])


def annotate(node):
    """The sum of the words modulo three, with a twist where the left side is heavier."""
    if not node.children:
        node.label = node.word % CLASSES
        return 1
    weights = [annotate(child) for child in node.children]
    left, right = node.children
    node.label = (left.label + right.label + (1 if weights[0] > weights[1] else 0)) % CLASSES
    return sum(weights)


class BinaryTreeLSTM(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, EMBEDDED)
        self.leaf = nn.Linear(EMBEDDED, 3 * HIDDEN)
        self.left = nn.Linear(HIDDEN, 5 * HIDDEN)
        self.right = nn.Linear(HIDDEN, 5 * HIDDEN, bias=False)
        self.out = nn.Linear(HIDDEN, CLASSES)
        self.dropout = nn.Dropout(0.1)

    def node_forward(self, node, outputs):
        """Returns (h, c) of the node and appends (logits, label) of all nodes under it."""
        if not node.children:
            x = self.embedding(torch.tensor([node.word]))
            i, o, u = self.leaf(x).chunk(3, dim=1)
            c = torch.sigmoid(i) * torch.tanh(u)
        else:
            (hl, cl), (hr, cr) = [self.node_forward(child, outputs) for child in node.children]
            i, fl, fr, o, u = (self.left(hl) + self.right(hr)).chunk(5, dim=1)
            c = torch.sigmoid(i) * torch.tanh(u) + torch.sigmoid(fl) * cl + torch.sigmoid(fr) * cr
        h = torch.sigmoid(o) * torch.tanh(c)
        outputs.append((self.out(self.dropout(h)), node.label))
        return h, c

    def forward(self, root):
        outputs = []
        self.node_forward(root, outputs)
        logits = torch.cat([logits for logits, _ in outputs])
        labels = torch.tensor([label for _, label in outputs])
        return logits, labels


class Trainer:
    def __init__(self, model, trees):
        self.model = model
        self.trees = trees
        self.optimizer = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=1e-5)
        self.next = 0

    def step(self):
        total = 0.0
        self.optimizer.zero_grad()
        for _ in range(BATCH):
            logits, labels = self.model(self.trees[self.next])
            self.next = (self.next + 1) % len(self.trees)
            loss = F.cross_entropy(logits, labels) / BATCH
            loss.backward()
            total += loss.item()
        self.optimizer.step()
        return total


def accuracy(model, trees):
    model.eval()
    hits = nodes = 0
    with torch.no_grad():
        for tree in trees:
            logits, labels = model(tree)
            hits += (logits.argmax(1) == labels).sum().item()
            nodes += len(labels)
    model.train()
    return hits / nodes


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else SHOWN
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    torch.manual_seed(seed)
    rng = random.Random(seed)
    trees = [random_tree(rng.randint(3, 20), rng) for _ in range(200)]
    for tree in trees:
        annotate(tree)
    model = BinaryTreeLSTM()
    trainer = Trainer(model, trees[:160])
    start = time.perf_counter()
    for step in range(steps):
        if step == steps // 2:
            start = time.perf_counter()
        loss = trainer.step()
        if step < SHOWN or step % (steps // 400 or 1) == 0:
            print(f"step {step:2d}  loss {loss:.6f}")
    seconds = time.perf_counter() - start
    print(f"accuracy {accuracy(model, trees[160:]):.4f} after {steps} steps")
    if len(sys.argv) > 1:
        print(f"{(steps - steps // 2) / seconds:.2f} steps/s")


if __name__ == "__main__":
    main()

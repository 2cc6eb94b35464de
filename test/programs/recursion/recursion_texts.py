# Trees whose leaves are words: looked up in a vocabulary while the graph runs.
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

random.seed(2)
torch.manual_seed(2)
VOCAB = {"the": 0, "film": 1, "was": 2, "good": 3, "bad": 4, "<unk>": 5}
WORDS = list(VOCAB)[:5]


class Node:
    def __init__(self, label, word=None, children=None):
        self.label, self.word, self.children = label, word, children or []


def build(depth):
    if depth == 0 or random.random() < 0.3:
        return Node(random.randrange(2), random.choice(WORDS + ["odd", ""]))
    return Node(random.randrange(2), None, [build(depth - 1) for _ in range(random.randint(1, 3))])


class RNTN(nn.Module):
    def __init__(self, dim=6):
        super().__init__()
        self.words = nn.Embedding(len(VOCAB), dim)
        self.join, self.score = nn.Linear(dim, dim), nn.Linear(dim, 2)
        self.known = 0

    def forward(self, node, losses):
        if node.word is not None:
            if node.word in VOCAB:
                self.known += 1
            h = self.words(torch.tensor([VOCAB.get(node.word, VOCAB["<unk>"])]))
            if node.word == "bad" or not node.word:
                h = -h
            elif node.word in ("good", "film"):
                h = h * 2 + len(node.word)
            h = torch.tanh(h)
        else:
            h = torch.stack([self.forward(c, losses) for c in node.children]).mean(0)
            h = torch.tanh(self.join(h))
        losses.append(F.cross_entropy(self.score(h), torch.tensor([node.label])))
        return h


net = RNTN()
opt = torch.optim.Adagrad(net.parameters(), lr=0.05)
trees = [build(3) for _ in range(25)]
for epoch in range(6):
    total = 0.0
    for tree in trees:  # expect: tier 2, at most 15 entries in tier 0
        losses = []
        net(tree, losses)
        loss = torch.stack(losses).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    print(epoch, f"{total:.3f}", net.known, len(losses), losses[-1].requires_grad)


# Words that nobody knows are a KeyError, and what was counted before it stays.
class Lookup(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(len(VOCAB), 4)
        self.met = 0

    def encode(self, tree):
        if isinstance(tree, str):
            self.met += 1
            return self.words.weight[VOCAB[tree]]
        left, right = tree
        return torch.tanh(self.encode(left) - self.encode(right))


def pairs(depth):
    if depth == 0 or random.random() < 0.3:
        return random.choice(WORDS)
    return [pairs(depth - 1), pairs(depth - 1)]


lookup = Lookup()
failed = 0
total = 0.0
for step in range(60):
    tree = [pairs(3), "odd"] if step % 20 == 19 else pairs(3)
    try:
        y = lookup.encode(tree).pow(2).sum()
        lookup.zero_grad()
        y.backward()
        total += y.item() + lookup.words.weight.grad.abs().sum().item()
    except KeyError as e:
        failed += 1
        print(step, "KeyError", e, lookup.met)
print(f"{total:.3f}", failed, lookup.met)

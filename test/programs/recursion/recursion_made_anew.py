# A new random tree at each step: made by Python, gone over in the graph.
import random
from dataclasses import dataclass
from typing import Optional

import torch
import torch.nn as nn


@dataclass
class Node:
    value: Optional[int] = None
    left: Optional["Node"] = None
    right: Optional["Node"] = None

    @property
    def is_leaf(self):
        return self.left is None

    def __len__(self):
        return 1 if self.is_leaf else len(self.left) + len(self.right)


def random_tree(depth):
    if depth == 0 or random.random() < 0.25:
        return Node(value=random.randrange(5))
    return Node(left=random_tree(depth - 1), right=random_tree(depth - 1))


def tree_sum(node):
    return node.value if node.is_leaf else tree_sum(node.left) + tree_sum(node.right)


class TreeRNN(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.emb = nn.Embedding(5, dim)
        self.comb = nn.Linear(2 * dim, dim)
        self.cls = nn.Linear(dim, 2)

    def encode(self, node):
        if node.is_leaf:
            return self.emb.weight[node.value]
        left, right = self.encode(node.left), self.encode(node.right)
        return torch.tanh(self.comb(torch.cat([left, right])))

    def forward(self, node):
        return self.cls(self.encode(node))


torch.manual_seed(6)
random.seed(6)
model = TreeRNN(8)
opt = torch.optim.Adam(model.parameters(), lr=0.01)
hits = total = 0
for step in range(90):
    tree = random_tree(3)  # expect: tier 2, at most 10 entries in tier 0
    label = torch.tensor([1 if tree_sum(tree) > 2 * len(tree) else 0])
    logits = model(tree)
    loss = nn.functional.cross_entropy(logits.unsqueeze(0), label)
    opt.zero_grad()
    loss.backward()
    opt.step()
    hits += int(logits.argmax().item() == label.item())
    total += 1
    if step % 15 == 14:
        print(f"step {step} leaves {len(tree)} loss {loss.item():.3f} acc {hits / total:.3f}")

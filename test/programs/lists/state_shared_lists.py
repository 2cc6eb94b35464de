# Two names of one list, a default argument that is mutated, and lists inside attributes.
import torch


def push(x, acc=[]):
    acc.append(x.sum())
    if len(acc) > 4:
        del acc[0]
    return sum(acc), acc


class Node:
    def __init__(self):
        self.children = []
        self.alias = self.children


root = Node()
for i in range(18):
    total, acc = push(torch.full((2,), float(i)))
    root.alias.append(i) if i % 2 else root.children.insert(0, total)
    if len(root.children) > 6:
        root.alias = root.children = root.children[1:-1]
print(total.item(), len(acc), acc is push.__defaults__[0], root.children is root.alias)
print([c if isinstance(c, int) else c.item() for c in root.children])

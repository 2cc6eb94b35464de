# A recursion that changes an attribute which is None or a tensor.
import torch

torch.manual_seed(3)


class Node:
    def __init__(self, v, kids):
        self.v = v
        self.kids = kids


class Best:
    def __init__(self):
        self.value = None
        self.count = 0


def look(node, best):
    if node.v > 1 and best.value is None:
        best.value = PAD
    best.count += node.v
    for k in node.kids:
        look(k, best)


def make(d):
    return Node(d, [make(d - 1) for _ in range(d)])


PAD = torch.zeros(2)
trees = [make(d) for d in (0, 1, 2, 3)]
for i in range(60):
    best = Best()
    look(trees[i % 4], best)
    if best.value is not None:
        best.value += 1
    if i % 15 == 14:
        print(best.value is PAD, best.count, PAD)

# A recursion that puts a tensor from outside into a list.
import torch

torch.manual_seed(5)


class Node:
    def __init__(self, v, kids):
        self.v = v
        self.kids = kids


PAD = torch.full((2,), 0.5)


def collect(node, out):
    if node.v > 2:
        out.append(PAD)
    else:
        out.append(PAD * node.v)
    for k in node.kids:
        collect(k, out)


def make(d):
    return Node(d, [make(d - 1) for _ in range(d)])


trees = [make(d) for d in (0, 1, 2, 3)]
for i in range(80):
    out = []
    collect(trees[i % 4], out)
print(len(out), out[0] is PAD, out[1] is PAD)
out[0] += 1
print(PAD, torch.stack(out).sum(0))

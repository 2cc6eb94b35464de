# A tree whose nodes hold tensors: sums, products, and what a leaf itself is.
import torch

torch.manual_seed(0)


class Node:
    def __init__(self, value, left=None, right=None):
        self.value = value
        self.left = left
        self.right = right


def total(node, scale):
    if node is None:
        return torch.zeros(3)
    below = total(node.left, scale * 0.5) + total(node.right, scale * 0.5)
    return node.value * scale + below


def leftmost(node):
    if node.left is None:
        return node.value
    return leftmost(node.left)


def build(depth):
    if depth == 0:
        return None
    return Node(torch.randn(3), build(depth - 1), build(depth - 1 if depth % 2 else depth - 2))


trees = [build(1), build(2), build(3), build(4)]
acc = torch.zeros(3)
for i in range(120):
    acc = acc + total(trees[i % 4], 1.0)
print(acc)
for i in range(60):
    first = leftmost(trees[i % 4])
    acc = acc + first
print(acc, [first is n.value for n in (trees[3].left.left.left or trees[3].left, trees[3])])
first += 1
print(leftmost(trees[3]))

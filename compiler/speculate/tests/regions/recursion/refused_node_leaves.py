# An object that the recursion comes to leaves the region.
import torch

class Node:
    def __init__(self, value, left=None, right=None):
        self.value, self.left, self.right = value, left, right

def best(node, x):
    if node.left is None:
        return node, x * node.value
    a, s = best(node.left, x)
    b, t = best(node.right, x)
    return (a, s) if s.sum() > t.sum() else (b, t)

def step(tree, x):  # region
    return best(tree, x)

trees = [Node(0.0, Node(1.0), Node(2.0)), Node(0.0, Node(1.0), Node(0.0, Node(5.0), Node(2.0)))]
for i in range(8):
    step(trees[i % 2], torch.ones(2))

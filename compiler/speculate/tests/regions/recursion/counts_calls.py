# What the body changes of the region around it each call takes and returns.
import torch

class Node:
    def __init__(self, left=None, right=None):
        self.left, self.right = left, right

class Counter:
    n = 0

counter = Counter()
counter.n = 0

def walk(node, x):
    counter.n += 1
    if node.left is None:
        return x
    return walk(node.left, x) + walk(node.right, x) * 0.5

def step(tree, x):  # region
    return walk(tree, x)

leaf = Node()
trees = [Node(leaf, Node(leaf, leaf)), Node(Node(leaf, leaf), Node(leaf, leaf))]
for i in range(8):
    step(trees[i % 2], torch.ones(2))

# What it keeps in the objects it is called with is a list of rows with addresses, which the commit carries out.
import torch

class Node:
    def __init__(self, left=None, right=None):
        self.left, self.right = left, right
        self.state = None

def walk(node, x):
    if node.left is None:
        node.state = x * 2
    else:
        node.state = walk(node.left, x) + walk(node.right, x)
    return node.state

def tree(depth):
    return Node(tree(depth - 1), tree(depth - 1)) if depth else Node()

def step(tree, x):  # region
    return walk(tree, x)

trees = [tree(1), tree(2)]
for i in range(8):
    step(trees[i % 2], torch.ones(2))

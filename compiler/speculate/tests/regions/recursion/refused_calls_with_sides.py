# Functions over objects that call one another, without one that is called first.
import torch

class Node:
    def __init__(self, left=None, right=None):
        self.left, self.right = left, right

def even(node, x):
    return x if node.left is None else odd(node.left, x) + even(node.right, x)

def odd(node, x):
    return x * 2 if node.left is None else even(node.left, x) * odd(node.right, x)

def step(tree, x):  # region
    return even(tree, x) + odd(tree, x)

leaf = Node()
trees = [Node(leaf, Node(leaf, leaf)), Node(Node(leaf, leaf), Node(leaf, leaf))]
for i in range(8):
    step(trees[i % 2], torch.ones(2))

# A function that calls itself over objects is a graph of its own, which invokes itself.
import torch

class Node:
    def __init__(self, value, left=None, right=None):
        self.value, self.left, self.right = value, left, right

def total(node, x):
    if node is None:
        return x
    return total(node.left, x) * node.value + total(node.right, x)

def step(tree, x):  # region
    return total(tree, x)

trees = [Node(1.0, Node(2.0)), Node(3.0, None, Node(4.0, Node(1.0)))]
for i in range(8):
    step(trees[i % 2], torch.ones(2))

# Its gradient is asked for inside of the region.
import torch

w = torch.ones(2, requires_grad=True)

class Node:
    def __init__(self, left=None, right=None):
        self.left, self.right = left, right

def encode(node):
    if node.left is None:
        return w * 1
    return torch.tanh(encode(node.left) + encode(node.right) * w)

def step(tree):  # region
    encode(tree).sum().backward()

leaf = Node()
trees = [Node(leaf, Node(leaf, leaf)), Node(Node(leaf, leaf), Node(leaf, leaf))]
for i in range(8):
    w.grad = None
    step(trees[i % 2])

# A word of a tree is looked up in a dict from outside where the graph runs.
import torch

vocabulary = {"a": 0, "b": 1, "c": 2}
table = torch.ones(3, 2)

class Node:
    def __init__(self, word=None, left=None, right=None):
        self.word, self.left, self.right = word, left, right

def encode(node):
    if node.left is None:
        return table[vocabulary[node.word]]
    return torch.tanh(encode(node.left) + encode(node.right))

def step(tree):  # region
    return encode(tree) * 2

a, b, c = Node("a"), Node("b"), Node("c")
trees = [Node(None, a, b), Node(None, c, Node(None, a, b))]
for i in range(8):
    step(trees[i % 2])

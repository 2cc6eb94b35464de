# A recursive tree of tensors, built once and folded many times.
import torch


class Node:
    def __init__(self, value, left=None, right=None):
        self.value = value
        self.left = left
        self.right = right


def build(depth):
    if depth == 0:
        return None
    return Node(torch.randn(2), build(depth - 1), build(depth - 2) if depth > 1 else None)


def fold(node, w):
    if node is None:
        return torch.zeros(2)
    return torch.tanh(node.value * w + 0.5 * (fold(node.left, w) + fold(node.right, w)))


torch.manual_seed(5)
tree = build(5)
w = torch.ones(2, requires_grad=True)
for i in range(120):
    loss = fold(tree, w).sum()
    w.grad = None
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
print(f"{loss.item():.5f}", [f"{v:.4f}" for v in w.tolist()])

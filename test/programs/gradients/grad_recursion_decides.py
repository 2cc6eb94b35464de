# The end of a recursion decides whether its result requires grad; create_graph through a recursion.
import torch

w = torch.ones(2, requires_grad=True)


class Node:
    def __init__(self, left=None, right=None):
        self.left, self.right = left, right


def fold(node):
    if node.left is None:
        return torch.ones(2)
    return torch.tanh(w * (fold(node.left) + fold(node.right)))


def product(node):
    if node.left is None:
        return w * 0.5
    return torch.tanh(w * product(node.left) + product(node.right))


def full(depth):
    return Node(full(depth - 1), full(depth - 1)) if depth else Node()


for i, depth in enumerate([3, 3, 3, 2, 1, 0, 0, 3, 0, 2, 0, 1]):
    result = fold(full(depth)).mean()
    print(depth, f"{result.item():.5f}", result.requires_grad, result.grad_fn is None)
    if result.requires_grad:
        w.grad = None
        result.backward()
        print([f"{g:.5f}" for g in w.grad.tolist()])
for i in range(12):
    out = product(full(i % 4)).sum()
    (first,) = torch.autograd.grad(out, w, create_graph=i > 5)
    if first.requires_grad:
        (second,) = torch.autograd.grad((first**2).sum(), w)
        print(f"{out.item():.5f} {first.sum().item():.5f} {second.sum().item():.5f}")

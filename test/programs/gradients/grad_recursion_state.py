# depth as argument, state passed down, two trees in one step, None as leaf, weight decay by hand
import torch

torch.manual_seed(7)


class Node:
    def __init__(self, value, left=None, right=None):
        self.value, self.left, self.right = value, left, right


def build(depth, i=1):
    if depth == 0 or i % 5 == 0:
        return None
    return Node(i * 0.1, build(depth - 1, 2 * i), build(depth - 1, 2 * i + 1))


def fold(node, w, v, state, depth=1):
    if node is None:
        return state * v
    down = torch.tanh(state + node.value * w)
    a = fold(node.left, w, v, down, depth + 1)
    b = fold(node.right, w, v, down, depth + 1)
    return torch.tanh(a - b * w) / depth


w = torch.linspace(-1, 1, 4, requires_grad=True)
v = torch.full((4,), 0.5, requires_grad=True)
start = torch.ones(4)
trees = [build(d) for d in (1, 2, 3, 4, 5)]
for k in range(24):  # expect: tier 2, at most 10 entries in tier 0
    loss = fold(trees[k % 5], w, v, start).sum() + 0.5 * fold(trees[(k + 2) % 5], w, v, start * 2).sum()
    w.grad = v.grad = None
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
        v -= 0.1 * v.grad
    if k % 4 == 3:
        print(f"{loss.item():.6f}", [f"{x:.6f}" for x in (w + v).tolist()])

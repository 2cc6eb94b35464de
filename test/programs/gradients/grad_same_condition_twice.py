# One condition is tested several times: what stands between has its place in the sums of gradients.
import torch

torch.manual_seed(3)
w = torch.randn(64, requires_grad=True)
xs = torch.randn(9, 64)
ks = torch.randn(6, 64) * 0.3


def pick(flag, a, b):
    if flag:
        return w * a
    return w * b * 0.3


class Node:
    def __init__(self, left=None, right=None):
        self.left, self.right = left, right


def full(depth):
    return Node(full(depth - 1), full(depth - 1)) if depth else Node()


def product(node):
    if node.left is None:
        return w * 0.5
    return w * product(node.left) + product(node.right) * 0.7


for step in range(24):
    flag = bool((xs[step % 9] * w.detach()).sum() > 0)
    a = pick(flag, xs[0], xs[1])
    m = w * xs[2]
    b = pick(flag, xs[3], xs[4])
    n = w * xs[5]
    c = pick(flag, xs[6], xs[7]) + a
    loss = (a * ks[0] + m * ks[1] + b * ks[2] + n * ks[3] + c * ks[4]).sum()
    w.grad = None
    loss.backward()
    print(step, flag, w.grad[:3].tolist(), w.grad[40:43].tolist())
    with torch.no_grad():
        w -= w.grad * 0.125
for step in range(16):
    w.grad = None
    product(full(1 + step % 3)).sum().backward()
    print(step, w.grad[:3].tolist())

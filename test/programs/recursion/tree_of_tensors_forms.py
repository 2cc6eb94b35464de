# Other dtypes, shapes that change, and a tensor that begins to require grad.
import torch

torch.manual_seed(3)


class N:
    __slots__ = ("t", "k")

    def __init__(self, t, k):
        self.t, self.k = t, k


class M:
    def __init__(self, t, k):
        self.t, self.k = t, k


def count(n):
    s = n.t.sum()
    for c in n.k:
        s = s + count(c)
    return s


def tree(make, d):
    return M(make(), [tree(make, d - 1) for _ in range(d)])


for make in (lambda: torch.randint(0, 9, (3,)), lambda: torch.randn(2, 2, dtype=torch.float64), lambda: torch.rand(3) > 0.5):
    ts = [tree(make, d) for d in (0, 1, 2, 3)]
    acc = 0
    for i in range(60):
        acc = acc + count(ts[i % 4])
    print(acc)
ts = [tree(lambda: torch.randn(2), d) for d in (1, 2, 3)]
acc = 0
for i in range(90):
    if i == 50:
        ts[0].k[0].t = torch.ones(5)
    if i == 70:
        ts[1].t.requires_grad_()
    acc = acc + count(ts[i % 3])
print(acc, acc.requires_grad)
acc.backward()
print(ts[1].t.grad)

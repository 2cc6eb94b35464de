# A generator feeds the hot function; another one is consumed inside it.
import torch


def data(n):
    torch.manual_seed(7)
    for i in range(n):
        yield i, torch.randn(3)
    return "done"


def take(gen, k):
    return sum(x for _, x in zip(range(k), gen))


def step(x, i):
    return take((x * j for j in range(10)), 2 + i % 2) + x


total = torch.zeros(3)
for i, x in data(15):
    total = total + step(x, i)
print([f"{v:.4f}" for v in total.tolist()])

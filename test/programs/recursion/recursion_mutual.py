# Functions over objects that call one another, with gradients.
import random
import torch
import torch.nn as nn

rng = random.Random(0)
torch.manual_seed(0)


class G(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.e, self.n, self.v = nn.Embedding(10, d), nn.Linear(2 * d, d), nn.Linear(2 * d, d)

    def noun(self, t):
        if isinstance(t, int):
            return self.e.weight[t]
        return torch.tanh(self.n(torch.cat([self.e.weight[t[0]], self.verb(t[1])])))

    def verb(self, t):
        if isinstance(t, int):
            return torch.relu(self.e.weight[t])
        return torch.tanh(self.v(torch.cat([self.e.weight[t[0]], self.noun(t[1])])))


def gen(d):
    return rng.randrange(10) if d == 0 or rng.random() < 0.3 else (rng.randrange(10), gen(d - 1))


data = [(rng.randrange(10), gen(6)) for _ in range(40)]
net, out = G(8), nn.Linear(8, 2)
opt = torch.optim.SGD([*net.parameters(), *out.parameters()], lr=0.1)
for step in range(60):
    batch = [data[(step * 7 + k) % 40] for k in range(4)]
    loss = nn.functional.cross_entropy(torch.stack([out(net.noun(t)) for t in batch]), torch.tensor([t[0] % 2 for t in batch]))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 20 == 0:
        print(f"{step} {loss.item():.6f}")


class Expr:
    def __init__(self, kind, parts, x=None):
        self.kind, self.parts, self.x = kind, parts, x


def total(e, w):
    if e.kind == 0:
        return torch.tanh(e.x * w)
    return product(e.parts[0], w) + product(e.parts[1], w)


def product(e, w):
    if e.kind == 0:
        return e.x * w
    return total(e.parts[0], w) * total(e.parts[1], w)


def build(depth):
    if depth == 0 or rng.random() < 0.2:
        return Expr(0, None, torch.randn(3))
    return Expr(1, [build(depth - 1), build(depth - 1)])


trees = [build(4) for _ in range(10)]
w = torch.ones(3, requires_grad=True)
for i in range(40):
    t = trees[i % 10]
    loss = (total(t, w) if i % 4 else product(t, w)).sum()
    w.grad = None
    loss.backward()
    if i % 8 == 0:
        print(i, f"{loss.item():.4f}", [f"{g:.4f}" for g in w.grad.tolist()])

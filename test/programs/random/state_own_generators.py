# Draws from generator objects: streams of their own, beside the default one, on sides of branches, in loops, put back.
import torch

torch.manual_seed(3)
g = torch.Generator().manual_seed(7)
h = torch.Generator()
h.manual_seed(11)


class Noise:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.calls = 0

    def __call__(self, x):
        self.calls += 1
        return x + 0.1 * torch.randn(x.shape, generator=self.gen)


noise = Noise(5)
total = torch.zeros(4)
picks = []
for i in range(40):  # expect: tier 2, at most 6 entries in tier 0
    x = torch.rand(4, generator=g)
    y = torch.randn(4)
    if y[0] > 0:
        y = y + torch.randn(4, generator=h)
    else:
        y = noise(y)
    order = torch.randperm(6, generator=g)
    k = torch.randint(0, 10, (2,), generator=h)
    m = torch.multinomial(torch.ones(5), 2, generator=g)
    b = torch.bernoulli(torch.full((3,), 0.4), generator=h)
    total = total * 0.9 + x * y + order[:4] + b.sum()
    picks.append(int(k[0]) * 10 + int(m[1]))
    if i == 25:
        g.manual_seed(1)
    if i % 10 == 9:
        print(i, [round(v, 4) for v in total.tolist()], picks[-5:], noise.calls)
print(torch.rand(2, generator=g).tolist(), torch.rand(2, generator=h).tolist(), torch.rand(2).tolist())
print(torch.rand(1, generator=noise.gen).item(), torch.rand(1, generator=torch.default_generator).item())


def walk(n, gen):
    pos, steps = torch.zeros(2), 0
    while pos.abs().max() < n:
        pos = pos + torch.randn(2, generator=gen)
        steps += 1
    return steps


w = torch.Generator().manual_seed(0)
lengths = [walk(1 + i % 4, w) for i in range(30)]
print(lengths, torch.rand(1, generator=w).item())

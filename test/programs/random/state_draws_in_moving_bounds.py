# Random ints below a bound that moves: one graph for all of them, and the stream is PyTorch's.
import torch

torch.manual_seed(3)


def sample(n, low):
    lens = torch.randint(1, n + 1, (4,))
    shifted = torch.randint(low, n + low, (2, 3)) + lens.sum()
    inplace = torch.empty(3).random_(0, n)
    like = torch.randint_like(lens, n + 2)
    return lens, shifted, inplace, like


total = 0
for i in range(60):
    parts = sample(3 + i % 7, i % 5 - 2)
    total += sum(p.sum().item() for p in parts)
    if i % 20 == 19:
        print(i, total, [p.tolist() for p in parts])


class Buffer:
    def __init__(self):
        self.rows = torch.arange(40.0).reshape(20, 2)
        self.filled = 1

    def batch(self, size):
        self.filled = min(self.filled + 1, 20)
        at = torch.randint(0, self.filled, (size,))
        return self.rows[at].sum()


buffer = Buffer()
seen = 0.0
for i in range(40):
    seen += buffer.batch(4).item()
print(seen, buffer.filled)


def below(n):
    return torch.randint(n, (2,)).sum().item()


for i in range(30):
    n = 5 + i % 3 if i < 28 else 28 - i
    try:
        total += below(n)
    except RuntimeError as e:
        print(type(e).__name__, str(e).splitlines()[0])
print(total, torch.rand(1).item())

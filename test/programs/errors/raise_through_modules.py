# Exceptions out of modules, closures and decorated functions; retries with another setting.
import functools

import torch
import torch.nn as nn

torch.manual_seed(7)


class Checked(nn.Module):
    def __init__(self, limit):
        super().__init__()
        self.f = nn.Linear(4, 4)
        self.limit = limit
        self.failures = 0

    def forward(self, x, scale):
        y = self.f(x) * scale
        if y.norm() > self.limit:
            self.failures += 1
            raise RuntimeError("norm")
        return torch.relu(y)


def counted(f):
    calls = 0

    @functools.wraps(f)
    def g(*args, **kwargs):
        nonlocal calls
        calls += 1
        return f(*args, **kwargs)

    g.calls = lambda: calls
    return g


model = Checked(1.5)
opt = torch.optim.SGD(model.parameters(), lr=0.05)


@counted
def attempt(x, scale):
    return model(x, scale)


retries = 0
for step in range(50):
    x = torch.randn(2, 4)
    scale = 1.0
    while True:
        try:
            out = attempt(x, scale)
            break
        except RuntimeError:
            scale = scale / 2
            retries += 1
    loss = (out - 0.1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 10 == 9:
        print(step, f"{loss.item():.5f}", retries)
print(model.failures, attempt.calls())

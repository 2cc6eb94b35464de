# Exceptions that a function raises on one side of a branch, caught by its caller.
import torch

torch.manual_seed(5)


class TooFar(Exception):
    def __init__(self, where, value):
        super().__init__(f"{where}: {value:.3f}")
        self.where = where
        self.value = value


class Walker:
    def __init__(self):
        self.steps = 0
        self.seen = []

    def move(self, x, g):
        self.steps += 1
        y = x - 0.5 * g
        if y.abs().max() > 2.0:
            self.seen.append(self.steps)
            raise TooFar("move", y.abs().max().item())
        return y

    def twice(self, x, g):
        try:
            return self.move(self.move(x, g), g * 0.9)
        finally:
            self.steps += 100


w = Walker()
x = torch.zeros(3)
log, last, good = [], 0.0, 0
for i in range(60):
    g = torch.randn(3)
    try:
        x = w.twice(x, g)
    except TooFar as e:
        log.append(i)
        last = e.value
        x = x * 0.5
    else:
        good += 1
print(x, log, f"{last:.4f}", good)
print(w.steps, w.seen[:5], len(w.seen))

# One of two exceptions, and a result that needs a gradient.
p = torch.tensor([0.5, -0.3, 0.8], requires_grad=True)


def loss_of(x):
    y = (p * x).sum()
    if y > 1.0:
        raise ValueError("large")
    if y < -1.0:
        raise ValueError("small", 3)
    return torch.tanh(y)


kinds = {}
total = 0.0
for i in range(60):
    x = torch.randn(3)
    try:
        loss = loss_of(x)
        loss.backward()
        with torch.no_grad():
            p -= 0.1 * p.grad
        p.grad = None
        total += loss.item()
    except ValueError as e:
        kinds[len(e.args)] = kinds.get(len(e.args), 0) + 1
        total -= 1.0
print(p.detach(), kinds, f"{total:.4f}")

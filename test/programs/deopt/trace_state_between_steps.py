# What one step writes the next one reads: an average, a counter, a list, a global, a tensor.
import torch

torch.manual_seed(7)
temperature = 1.0


class Learner:
    def __init__(self):
        self.w = torch.randn(4, requires_grad=True)
        self.velocity = torch.zeros(4)
        self.average = None
        self.calls = 0
        self.recent = []
        self.stats = {"clipped": 0}

    def step(self, x, y):
        global temperature
        self.calls += 1
        loss = ((x @ self.w) / temperature - y).pow(2).mean()
        (g,) = torch.autograd.grad(loss, self.w)
        norm = g.norm()
        if norm > 1.0:
            g = g / norm
            self.stats["clipped"] += 1
        with torch.no_grad():
            self.velocity.mul_(0.9).add_(g)
            self.w -= 0.05 * self.velocity
        value = loss.item()
        self.average = value if self.average is None else 0.9 * self.average + 0.1 * value
        self.recent.append(value)
        if len(self.recent) > 3:
            self.recent.pop(0)
        temperature = 1.0 + 0.5 / self.calls
        return value


learner = Learner()
x = torch.randn(16, 4)
y = x @ torch.tensor([1.0, -2.0, 0.5, 3.0])
for i in range(40):
    value = learner.step(x, y)
    if i % 8 == 7:
        print(f"{i} loss {value:.5f} average {learner.average:.5f} recent {[f'{v:.4f}' for v in learner.recent]}")
        print(f"  calls {learner.calls} clipped {learner.stats['clipped']} temperature {temperature:.4f}")

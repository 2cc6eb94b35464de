# Attributes read and written in the hot method: counters, running averages, lists.
import torch


class Meter:
    def __init__(self):
        self.n = 0
        self.mean = 0.0
        self.tensor = torch.zeros(2)
        self.values = []
        self.best = None

    def update(self, x):
        self.n += 1
        self.mean += (x.sum().item() - self.mean) / self.n
        self.tensor = 0.9 * self.tensor + 0.1 * x
        self.values.append(self.n * 2)
        if self.best is None or x[0] > self.best:
            self.best = x[0]
        return self


torch.manual_seed(7)
m = Meter()
for i in range(25):
    m.update(torch.randn(2))
print(m.n, f"{m.mean:.4f}", [f"{v:.4f}" for v in m.tensor.tolist()], sum(m.values), f"{m.best.item():.4f}")

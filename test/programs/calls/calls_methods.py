# Methods, inheritance, super(), overriding and bound methods kept in variables.
import torch


class Base:
    def __init__(self, gain):
        self.gain = gain

    def pre(self, x):
        return x + self.gain

    def run(self, x):
        return self.post(self.pre(x))

    def post(self, x):
        return x * 2


class Child(Base):
    def pre(self, x):
        return super().pre(x) * 0.5

    def post(self, x):
        return x.abs() if self.gain > 1 else super().post(x)


torch.manual_seed(3)
a, b, c = Base(0.5), Child(0.25), Child(2.0)
total = torch.zeros(3)
run = b.run
for i in range(20):
    x = torch.randn(3)
    total = total + a.run(x) - run(x) + c.run(x)
    if i == 12:
        b.gain = 1.5
print([f"{v:.4f}" for v in total.tolist()], run.__self__ is b, Child.run is Base.run)

# Objects made in the hot loop by a class, with class attributes and __init_subclass__.
import torch


class Op:
    registry = {}

    def __init_subclass__(cls, name=None, **kwargs):
        super().__init_subclass__(**kwargs)
        Op.registry[name or cls.__name__.lower()] = cls

    def __init__(self, amount=1.0):
        self.amount = amount


class Add(Op):
    def __call__(self, x):
        return x + self.amount


class Mul(Op, name="times"):
    def __call__(self, x):
        return x * self.amount


def run(x, program):
    for name, amount in program:
        x = Op.registry[name](amount)(x)
    return x


x = torch.tensor([1.0, -1.0], requires_grad=True)
for i in range(14):
    y = run(x, [("add", i), ("times", 0.5), ("add", 1.0)])
    y.sum().backward()
print(y.tolist(), x.grad.tolist(), sorted(Op.registry))

# Classes with operator overloading around tensors.
import torch


class Dual:
    __slots__ = ("value", "slope")

    def __init__(self, value, slope=0.0):
        self.value = value
        self.slope = slope

    def __add__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.value + other.value, self.slope + other.slope)

    __radd__ = __add__

    def __mul__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.value * other.value, self.value * other.slope + self.slope * other.value)

    __rmul__ = __mul__

    def __neg__(self):
        return self * -1

    def __pow__(self, n):
        out = Dual(torch.ones_like(self.value))
        for _ in range(n):
            out = out * self
        return out


def poly(x):
    return 3 * x ** 3 + -x * 2 + 1


x = torch.tensor([0.5, 1.5])
for i in range(12):
    d = poly(Dual(x + i * 0.1, torch.ones(2)))
t = (x + 1.1).requires_grad_()
poly(t).sum().backward()
print(d.value.tolist(), d.slope.tolist())
print([f"{a:.3f}" for a in t.grad.tolist()], torch.allclose(d.slope, t.grad))

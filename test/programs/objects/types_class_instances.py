# Small objects of several classes in one list, with duck typing.
import torch


class Square:
    def __call__(self, x):
        return x * x


class Affine:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __call__(self, x):
        return x * self.a + self.b


class Twice(Affine):
    def __init__(self, inner):
        super().__init__(2, 0)
        self.inner = inner

    def __call__(self, x):
        return super().__call__(self.inner(x))


layers = [Square(), Affine(2.0, 1), Twice(Square()), Affine(torch.tensor(0.5), -1), torch.tanh]
x = torch.tensor([0.1, 0.2], requires_grad=True)
for i in range(12):
    y = x
    for layer in layers:
        y = layer(y)
    y.sum().backward()
    layers[1].b = i % 3
print([f"{v:.5f}" for v in y.tolist()], [f"{v:.4f}" for v in x.grad.tolist()])

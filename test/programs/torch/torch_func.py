import torch
from torch import nn
from torch.func import functional_call, grad, grad_and_value

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Linear(3, 4), nn.Linear(4, 1)
        self.tied = self.one.weight
        self.register_buffer("shift", torch.ones(1))

    def forward(self, x, scale=1.0):
        return self.two(torch.tanh(self.one(x))) * scale + self.shift


net = Net()
x = torch.randn(5, 3)
parameters = dict(net.named_parameters())
fast = {name: p * 0.5 for name, p in parameters.items()}
print(functional_call(net, fast, (x,)).detach().flatten())
print(functional_call(net, (fast, {"shift": torch.zeros(1)}), x, {"scale": 2.0}).detach().flatten())
print(net(x).detach().flatten(), net.shift)


def loss_of(parameters, x):
    return functional_call(net, parameters, (x,)).pow(2).mean()


for step in range(12):
    grads, value = grad_and_value(loss_of)({k: v.detach() for k, v in parameters.items()}, x)
    parameters = {k: v - 0.1 * grads[k] for k, v in parameters.items()}
    if step % 3 == 0:
        print(step, f"{value.item():.5f}", [f"{g.sum().item():.4f}" for g in grads.values()])


def f(a, b):
    return (a ** 3 * b).sum()


a, b = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])
print(grad(f)(a, b), grad(f, argnums=1)(a, b), grad(f, argnums=(0, 1))(a, b))
print(grad(lambda v: grad(lambda u: u ** 3)(v))(torch.tensor(2.0)))
print(grad(lambda v: (v.sin().sum(), v * 2), has_aux=True)(a))
try:
    grad(lambda v: v * 2)(a)
except RuntimeError:
    print("RuntimeError")

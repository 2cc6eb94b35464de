"""Results of hot functions whose gradients come from outside of them."""
import torch

torch.manual_seed(0)
w = torch.randn(4, 4, requires_grad=True)
b = torch.zeros(4, requires_grad=True)


def layer(x):
    return torch.tanh(x @ w + b)


def twice(x):
    h = torch.relu(x @ w)
    return (h * w.sum()) @ w


def pair(x):
    h = x @ w
    return h.exp().sum(), (h * h).mean()


class Cell(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Linear(4, 4)
        self.drop = torch.nn.Dropout(0.5)

    def forward(self, x, h):
        h = torch.sigmoid(self.inner(x) + h)
        if h.sum() > 8:
            h = h * 0.5
        return self.drop(h), h


def show(name, *tensors):
    print(name, *(f"{t.grad.double().sum().item():.4g}" for t in tensors))
    for t in tensors:
        t.grad = None


xs = [torch.randn(3, 4) for _ in range(12)]
for i, x in enumerate(xs):
    y = layer(layer(x))
    loss = y.pow(2).sum()
    if i in (0, 11):
        print(y)
        print(loss, loss.grad_fn.name())
    loss.backward()
show("chain", w, b)

for x in xs:
    # The same parameter outside of the region, before and after it.
    before = (w * w).sum()
    out = twice(x)
    (out.sum() + before + w.abs().sum()).backward()
show("shared", w)

for i, x in enumerate(xs):
    first, second = pair(x)
    if i % 3 == 0:
        first.backward()
    elif i % 3 == 1:
        second.backward()
    else:
        (second * 2 + first).backward()
show("pair", w)

cell = Cell()
total = 0.0
for epoch in range(4):
    h = torch.zeros(3, 4)
    loss = 0
    for x in xs:
        out, h = cell(x, h)
        loss = loss + out.sum()
    loss.backward()
    total += loss.item()
print(f"{total:.3f}", out.requires_grad, out.grad_fn is not None)
show("cell", *cell.parameters())

# Twice through one graph, and once too often.
y = layer(xs[0]).sum()
y.backward(retain_graph=True)
y.backward()
show("retained", w, b)
try:
    y.backward()
except RuntimeError as e:
    print(str(e)[:60])

# What a region has kept is overwritten.
x = xs[1].clone()
y = layer(x).sum()
x += 1
try:
    y.backward()
except RuntimeError as e:
    print(str(e)[:90])
w.grad = b.grad = None

# A hook, a gradient of an inner tensor, torch.autograd.grad.
h = layer(xs[2])
h.retain_grad()
h.register_hook(lambda g: g * 2)
layer(h).sum().backward()
print(f"{h.grad.sum().item():.6f}")
show("hook", w, b)
(g,) = torch.autograd.grad(layer(xs[3]).sum(), [w])
print(f"{g.sum().item():.6f}")

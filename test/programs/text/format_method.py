"""`str.format` in a hot function: fields by place and by name, of objects, with specs that nest."""
import torch

torch.manual_seed(0)


class Meter:
    def __init__(self, name):
        self.name = name
        self.history = [0.0]
        self.val = 0.0

    def update(self, val):
        self.val = val
        self.history.append(val)

    def __str__(self):
        return "{name}: {val:.2f} ({last})".format(**self.__dict__, last=len(self.history))


meters = [Meter("loss"), Meter("grad")]
w = torch.randn(4, requires_grad=True)
log = []


def step(i, x):
    loss = ((x * w).sum() - 1.0) ** 2
    loss.backward()
    with torch.no_grad():
        w.sub_(0.01 * w.grad)
    norm = w.grad.norm().item()
    w.grad = None
    meters[0].update(loss.item())
    meters[1].update(norm)
    log.append("{}/{} {:5.2f}% {{{!r}}}".format(i, 40, 100.0 * i / 40, "step"))
    if i % 4 == 0:
        print("step {0} loss {1:.4f} again {1:9.2e} {0:>4}".format(i, loss.item()))
        print("{m.name} {m.val:.3f} {h[0]} {w:{width}.{digits}f}".format(
            m=meters[0], h=meters[1].history, w=norm, width=10, digits=3))
        print("{0}\t{1}".format(*meters))
        print("tensor {:.4f} {}".format(loss.detach(), (x > 0).sum()))
    return loss


for i in range(40):
    step(i, torch.randn(4))
print(log[0], log[-1], len(log))


def raising(i, y):
    z = (y * 2.0).sum().item()
    try:
        return "{:d} {}".format(z if i == 33 else i, z)
    except ValueError as e:
        return "{0} {e}".format(i, e=e)


for i in range(36):  # expect: tier 2, at most 10 entries in tier 0
    text = raising(i, torch.full((2,), float(i)))
    if i > 30:
        print(text)


def missing(i, y):
    total = (y + i).sum()
    return "{} {}".format(*([total.item()] * (1 if i == 38 else 2)))


for i in range(40):
    try:
        text = missing(i, torch.ones(3))
    except IndexError as e:
        text = str(e)
    if i > 35:
        print(text)

# Functions made in hot loops that outlive them: lambdas, closures over counters, the closure of an optimizer step.
import torch
torch.manual_seed(1)
acc = 0.0
fs = []
def make(k, scale=2.0):
    count = 0
    def g(x, *, shift=k):
        nonlocal count
        count += 1
        return x * scale + shift + count
    return g
for i in range(30):  # expect: tier 2, at most 6 entries in tier 0
    x = torch.randn(4)
    n = i % 3 + 1
    f = lambda t, k=n: t * n + k
    g = make(i)
    acc += f(x).sum().item() + g(x).sum().item()
    if i % 7 == 0:
        fs.append(g); fs.append(f)
print(f"{acc:.4f}", f(torch.ones(2)), [h(torch.ones(2)).tolist() for h in fs], g.__name__, g.__qualname__, g.__kwdefaults__, f.__defaults__, g.__closure__[0].cell_contents, g(torch.ones(1)))
def train(steps):
    w = torch.zeros(3, requires_grad=True)
    opt = torch.optim.SGD([w], lr=0.1)
    for i in range(steps):  # expect: tier 2, at most 12 entries in tier 0
        x = torch.randn(3)
        def closure():
            opt.zero_grad()
            loss = ((w - x) ** 2).sum()
            loss.backward()
            return loss
        l = opt.step(closure)
    return w, l, closure
w, l, c = train(40)
print([round(v, 4) for v in w.tolist()], round(l.item(), 4), round(c().item(), 4))


def countdown(x):
    for i in range(20):
        def down(n):
            return x if n == 0 else down(n - 1) * 0.5
        x = down(i % 3) + 1
    return x, down


x, down = countdown(torch.ones(2))
print([round(v, 4) for v in x.tolist()], round(down(2).sum().item(), 4), down.__name__)
handlers = {}
for i in range(24):
    name = ("a", "b", "c")[i % 3]
    y = torch.full((2,), float(i))
    handlers[name] = lambda t, y=y: (t * y).sum()
    total = sum(h(torch.ones(2)) for h in handlers.values())
print(total.item(), {k: h(torch.ones(2)).item() for k, h in handlers.items()})

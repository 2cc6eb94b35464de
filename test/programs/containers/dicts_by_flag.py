# Dicts that get a key on one side of a branch: optional outputs and losses.
import torch
import torch.nn.functional as F
torch.manual_seed(1)
w = torch.randn(4, 4, requires_grad=True)
def net(x, aux):
    h = torch.tanh(x @ w)
    out = {"logits": h}
    if aux:
        out["aux"] = h.sum(1)
    return out
for i in range(60):
    x = torch.randn(3, 4)
    out = net(x, i % 3 == 0)
    losses = {"ce": out["logits"].pow(2).mean()}
    if "aux" in out:
        losses["aux"] = (out["aux"] - 1).pow(2).mean() * 0.5
    if i % 2:
        losses["l1"] = w.abs().sum() * 0.01
    total = sum(losses.values())
    total.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
    w.grad = None
    if i % 7 == 0:
        print(i, len(losses), f"{total.item():.4f}", sorted(losses))


def options(i):
    kw = {"scale": 2.0}
    if i % 2:
        kw["shift"] = 1.0
    if i % 5 == 4:
        del kw["scale"]
    return kw


def apply(x, scale=1.0, shift=0.0):
    return x * scale + shift


total = torch.zeros(3)
for i in range(40):
    kw = options(i)
    total = total * 0.5 + apply(torch.ones(3) * i, **kw)
    if i % 10 == 9:
        print(i, kw, total)


def features(x, names):
    found = {}
    for name in names:
        found[name] = x * len(name)
    if x.sum() > 0:
        found["positive"] = x.sum()
    return found


count = 0
for i in range(40):
    found = features(torch.randn(3), ["a", "bb"])
    count += "positive" in found
    total = total * 0.9 + found.get("positive", found["a"].mean())
print(count, f"{total.sum().item():.4f}", list(found))


class Box:
    def __init__(self):
        self.items = {}


box = Box()
for i in range(40):
    state = {"i": i}
    if i % 3 == 0:
        state["x"] = torch.ones(2) * i
    state["last"] = state.get("x", torch.zeros(2)) + 1
    box.items = state
    if i % 8 == 7:
        print(list(state), state["last"])
print(box.items)

# Lists of tensors that are on a device, where there is one, and tensors of lists of numbers.
import torch
dev = "cuda" if torch.cuda.is_available() else "cpu"
w = torch.ones(3, 3, device=dev)
def pick(xs, limit):
    good = []
    for x in xs:
        if (x @ w).sum() > limit:
            good.append(x)
    if not good:
        return None
    return torch.stack(good)
for i in range(40):
    xs = [torch.ones(3, device=dev) * (k + i % 3) for k in range(5)]
    m = pick(xs, 12.0)
    if m is not None and i > 35:
        print(i, m.device.type == dev, m.shape)
def grow(n):
    out = []
    x = torch.ones(3, device=dev)
    for k in range(n):
        x = x * 0.5
        out.append(x)
    return torch.stack(out), out
for i in range(30):
    s, o = grow(3 + i % 4)
print(s.device.type == dev, {t.device.type for t in o} == {dev}, s.cpu())
def returns(n):
    out, r = [], 0.0
    for k in range(n):
        r = k * 0.5 + 0.9 * r
        out.insert(0, r)
    return torch.tensor(out, device=dev), torch.tensor(out, dtype=torch.float64), torch.tensor(out)
for i in range(40):
    a, b, c = returns(3 + i % 5)
print(a.device.type == dev, a.cpu(), b, c)
def old(x):
    return x.new(2, 3).fill_(1.0) + x.new([1.0, 2.0, 3.0]), torch.FloatTensor([1.0, 2.0]) * 2
for i in range(30):
    a, b = old(torch.ones(3, device=dev))
print(a.device.type == dev, a.cpu(), b, b.device)

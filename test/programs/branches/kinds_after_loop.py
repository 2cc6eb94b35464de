# What a variable that may be None, a bool or a tensor is afterwards.
import torch

torch.manual_seed(3)
w = torch.randn(3)
keep = [torch.zeros(3)]
for ep in range(60):
    limit = 3 + ep % 7
    x = torch.full((3,), ep * 0.1)
    t = 0
    best = None
    flag = False
    last = x
    while not flag:
        x = torch.tanh(x * 0.8 + w)
        t += 1
        if x.sum() > 0.2 * t:
            best = x
        flag = t >= limit or x.max() > 0.97
        last = x
    if ep % 20 == 19:
        print(t, best is None, flag if isinstance(flag, bool) else flag.item(), best is last, last is x)
    if best is not None and ep % 3 == 0:
        best.add_(1.0)
    keep[0] = keep[0] + last
print(keep[0], best, last)
for ep in range(60):
    found = None
    for i in range(2 + ep % 5):
        row = w * i
        if row.sum() < -0.5 and found is None:
            found = row
        elif i == 3:
            found = None
    if found is not None:
        found += 1
    if ep % 15 == 14:
        print(found, row)
print(w)

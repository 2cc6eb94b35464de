"""Lists that began with items and got others before those: summed, walked through, and told by index."""
import torch
def b1(x, y):
    gs = [x]
    for row in y:
        gs.insert(0, row * 2)
    t = 0
    for g in gs:
        t = t + g
    return t
def b2(x, y):
    gs = [x]
    for row in y:
        gs.insert(0, row * 2)
    return max(g.sum().item() for g in gs), sum(g.sum().item() for g in gs)
def b3(x, y):
    gs = [0.5]
    for row in y:
        gs.insert(0, row.sum().item())
    return sum(gs), max(gs), min(gs), sum(gs[1:]), torch.tensor(gs)
def b4(x, y):
    gs = []
    for row in y:
        gs.insert(0, row * 2)
    return sum(gs)
def b5(x, y):
    gs = []
    for row in y:
        gs.insert(0, row.sum().item())
    return sum(gs), sum(g * 2 for g in gs), max(gs)
for f in (b1, b2, b3, b4, b5):
    for i in range(20):
        x = torch.arange(3.) + i
        y = torch.arange(3. * (1+i % 5)).reshape(-1, 3)
        v = f(x, y)
        if i > 15: print(f.__name__, i, v)
def s1(x, y):
    t = x
    gs = [x * 1, x]
    for row in y:
        t = t + row * 0.25
        gs.insert(0, t)
    return t + sum(gs) * 0.1
def s3(x, y):
    gs = [x * 1, x]
    for row in y:
        gs.insert(0, row * 2)
    return sum(gs)
def s4(x, y):
    gs = [x * 1, x]
    for row in y:
        gs.insert(0, row * 2)
    return torch.stack(gs).mean(0)
def s5(x, y):
    gs = [x * 1, x]
    for row in y:
        gs.insert(0, row * 2)
    hs = gs[-2:]
    return sum(hs)
def s6(x, y):
    gs = [x]
    for row in y:
        gs.insert(0, row * 2)
    t = x
    for g in gs:
        t = t + g
    return t
def s7(x, y):
    gs = [0.5, 0.25]
    for row in y:
        gs.append(row.sum().item())
    hs = gs[1:]
    ks = gs[2:]
    return hs[0], ks[0] if len(ks) > 0 else None, sum(hs)
for f in (s1, s3, s4, s5, s6, s7):
    for i in range(20):
        x = torch.arange(3.) + i
        y = torch.arange(3. * (i % 5)).reshape(-1, 3)
        v = f(x, y)
        if i > 13: print(f.__name__, i, v)

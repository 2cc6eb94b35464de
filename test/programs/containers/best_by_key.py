import torch
torch.manual_seed(5)
class P:
    def __init__(self, n, t):
        self.n, self.t = n, t
calls = []
def key(p):
    calls.append(p.n)
    return p.t.sum().item()
ps = [P(i, torch.randn(2)) for i in range(4)]
for i in range(40):
    for p in ps:
        p.t = torch.sin(p.t * 1.3 + i)
    ok = [p for p in ps if p.t[0] > -0.2]
    best = max(ok, key=key, default=None)
    worst = min(ps, key=key)
    print(i, len(ok), best.n if best is not None else None, worst.n, worst in ok, len(calls))
    near = min((p.t for p in ps), key=lambda t: int(t[0].item() * 2))
    print('  ', [round(v, 3) for v in near.tolist()], max(len(ok), 2), max([p.n for p in ok], default=-1))
    calls.clear()

# Hooks that come and go, and modules that change, while the model is used.
import torch
from torch import nn
torch.manual_seed(0)
# modules: hooks added while hot
lin = nn.Linear(3, 3, bias=False)
with torch.no_grad(): lin.weight.copy_(torch.eye(3))
def f(x): return lin(x) * 2
log = []
hs = []
res = []
for i in range(140):
    x = torch.full((2, 3), 1.0, requires_grad=True)
    if i == 30: hs.append(lin.register_full_backward_hook(lambda m, gi, go: tuple(g * 2 for g in gi)))
    if i == 50: hs.append(lin.register_forward_pre_hook(lambda m, a: (a[0] + 1,)))
    if i == 70: hs.append(lin.register_forward_hook(lambda m, a, o: o * 3))
    if i == 90: hs.append(lin.register_full_backward_pre_hook(lambda m, go: (go[0] * 5,)))
    if i == 100: hs[0].remove()
    if i == 110: hs.append(lin.register_forward_hook(lambda m, a, kw, o: log.append(sorted(kw)), with_kwargs=True))
    if i == 120: [h.remove() for h in hs]
    y = f(x)
    y.sum().backward()
    res.append((y.sum().item(), x.grad.sum().item()))
print([res[k] for k in (5, 35, 55, 75, 95, 105, 115, 139)], len(log), lin.weight.grad)
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.ModuleList([nn.Linear(2, 2) for _ in range(2)])
        self.d = nn.ModuleDict({"a": nn.Linear(2, 2)})
        self.p = nn.ParameterList([torch.ones(2)])
        self.register_buffer("n", torch.zeros(()), persistent=False)
    def forward(self, x, key="a"):
        for m in self.l: x = torch.tanh(m(x))
        x = self.d[key](x)
        for p in self.p: x = x * p
        self.n += 1
        return x
m = M()
out = []
for i in range(120):
    if i == 30: m.l.append(nn.Linear(2, 2))
    if i == 50: m.d["b"] = nn.Tanh()
    if i == 60: m.p.append(nn.Parameter(torch.tensor([2., 3.])))
    if i == 80: m.l[0] = nn.Identity()
    if i == 95: del m.l[1]
    if i == 105: m.l.insert(0, nn.ReLU())
    out.append(m(torch.ones(1, 2), "b" if i > 50 and i % 2 else "a").sum().item())
print(["%.5f" % v for v in out[::9]], m.n, list(m.state_dict()))
print(m)
try: m(torch.ones(1, 2), "zz")
except KeyError as e: print("KeyError", e)
try: m.load_state_dict({"l.0.weight": 1, "q": torch.ones(1)}, strict=True)
except Exception as e: print(type(e).__name__, e)

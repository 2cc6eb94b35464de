"""Options from dicts of other lengths; an attribute whose name moves."""
import torch
torch.manual_seed(11)
def f(x, *, act="relu", n=2, scale=None):
    for _ in range(n):
        x = getattr(torch, act)(x)
    return x if scale is None else x * scale
cfgs = [dict(), dict(act="tanh"), dict(n=3, scale=0.5), dict(act="sigmoid", scale=2.0)]
x = torch.randn(4)
for i in range(120):
    x = f(x - 0.2, **cfgs[i % 4])
print([round(v, 4) for v in x.tolist()])

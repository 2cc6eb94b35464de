import torch
torch.manual_seed(1)
w = torch.randn(3, 3, requires_grad=True)
def clean(xs, limit):
    out = []
    for x in xs:
        n = x.norm().item()
        if n > limit:
            x = x * (limit / n)
        out.append((x, round(n, 3)))
    return [p for p in out if p[0].sum() > -1.0], len(out)
for i in range(40):
    xs = torch.randn(4, 3).unbind(0)
    kept, n = clean(xs, 1.0 + i % 3 * 0.4)
    print(i, len(kept), n, [k for _, k in kept])

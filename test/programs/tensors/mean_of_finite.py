import torch
torch.manual_seed(13)
def mean_of_finite(xs):
    ok = [x for x in xs if torch.isfinite(x).all()]
    return sum(ok) / max(len(ok), 1), len(ok)
for t in range(40):
    xs = [torch.randn(2) / (torch.rand(2) > 0.15).float() for _ in range(4)]
    m, n = mean_of_finite(xs)
    print(t, n, [round(v, 4) for v in m.tolist()] if n else m)

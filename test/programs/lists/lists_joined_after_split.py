import torch
torch.manual_seed(10)
def batchify(xs):
    long, short = [], []
    for i, x in enumerate(xs):
        if x.norm() > 1.5:
            long.append((i, x))
        else:
            short.append((i, x))
    order = long + short
    out = torch.zeros(len(xs), 2)
    for pos, (i, x) in enumerate(order):
        out[pos] = x * (i + 1)
    return out, [i for i, _ in order]
for t in range(40):
    out, idx = batchify([torch.randn(2) for _ in range(4)])
    print(t, idx, round(out.sum().item(), 4))

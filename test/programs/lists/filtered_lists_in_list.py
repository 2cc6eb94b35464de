import torch
torch.manual_seed(2)
LAST = {}
def keep(xs, t):
    out = []
    for k, x in enumerate(xs):
        if x.abs().max() > t:
            continue
        out.append([k, x])
    LAST['out'] = out
    return out
def total(pairs):
    s = torch.zeros(2)
    for pair in pairs:
        pair[0] += 10
        s = s + pair[1]
        pair.append(s)
    return s
xs = [torch.randn(2) for _ in range(4)]
for i in range(40):
    pairs = keep(xs, 1.0 + 0.1 * (i % 5))
    s = total(pairs)
    xs = [x * 0.9 + 0.3 * torch.randn(2) for x in xs]
    print(i, len(pairs), [p[0] for p in LAST['out']], [round(v, 4) for v in s.tolist()])
    if pairs:
        print('   ', [round(v, 4) for v in pairs[-1][2].tolist()], len(pairs[0]))

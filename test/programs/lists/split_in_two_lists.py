import torch
torch.manual_seed(3)
def split_by(xs, pred):
    yes, no = [], []
    for x in xs:
        (yes if pred(x) else no).append(x)
    return yes, no
data = [torch.randn(2) for _ in range(6)]
for i in range(40):
    a, b = split_by(data, lambda t: t.sum() > 0.1 * (i % 3))
    c = sum(a) / len(a) if a else torch.zeros(2)
    d = torch.stack(b).mean(0) if b else torch.zeros(2)
    data = [t * 0.95 + 0.05 * (c if k % 2 else d) + 0.1 * torch.sin(torch.tensor([i * 1.0, k * 2.0])) for k, t in enumerate(data)]
    print(i, len(a), len(b), [round(v, 4) for v in (c - d).tolist()])

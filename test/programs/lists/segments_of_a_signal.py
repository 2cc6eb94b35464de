import torch
torch.manual_seed(15)
def segments(x, thr):
    out, start = [], None
    for i in range(x.numel()):
        if x[i] > thr:
            if start is None:
                start = i
        elif start is not None:
            out.append((start, i))
            start = None
    return out
count, area = 0, torch.zeros(())
for k in range(80):
    x = torch.sin(torch.arange(12) * 0.7 + k) + 0.2 * torch.randn(12)
    for a, b in segments(x, 0.2):
        count += b
        area = area + x[a:b].sum()
print(count, area)

import torch
torch.manual_seed(8)
def run(x):
    seen = []
    for k in range(6):
        x = torch.sin(x * 1.7 + k)
        if x.mean() > 0.1:
            seen.append(k)
            print('  seen', k)
    return x, seen
x = torch.randn(4)
for i in range(40):
    x, seen = run(x)
    print(i, seen, len(seen), sum(seen), max(seen, default=-1) if seen else None)

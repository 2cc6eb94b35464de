import torch
torch.manual_seed(6)
buckets = {}
def route(xs):
    out = {'pos': [], 'neg': [], 'zero': []}
    for x in xs:
        s = x.sum().item()
        if s > 0.5:
            out['pos'].append(x)
        elif s < -0.5:
            out['neg'].append(x)
        else:
            out['zero'].append(x)
    return out
for i in range(40):
    parts = route(torch.randn(4, 2))
    line = []
    for k, v in parts.items():
        if v:
            line.append((k, len(v), round(torch.stack(v).mean().item(), 4)))
    print(i, line)

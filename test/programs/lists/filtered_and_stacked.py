import torch
torch.manual_seed(2)
w = torch.randn(3, 3, requires_grad=True)
def pick(xs, limit):
    good = [x for x in xs if (x @ w).sum() > limit]
    if not good:
        return None, 0
    return torch.stack(good), len(good)
for i in range(40):
    xs = list(torch.randn(5, 3).unbind(0))
    m, n = pick(xs, 0.2)
    if m is None:
        print(i, 'none')
        continue
    loss = (m @ w).pow(2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.05 * w.grad
    w.grad = None
    print(i, n, tuple(m.shape), round(loss.item(), 5))

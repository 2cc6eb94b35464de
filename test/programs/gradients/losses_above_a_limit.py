import torch
torch.manual_seed(4)
w = torch.randn(3, 2, requires_grad=True)
b = torch.zeros(2, requires_grad=True)
def loss_of(xs, ys):
    losses = []
    for x, y in zip(xs, ys):
        p = x @ w
        if p.sum() > 0:
            p = p + b
        l = (p - y).pow(2).sum()
        if l > 0.5:
            losses.append(l)
    if not losses:
        return None
    return torch.stack(losses).mean()
for i in range(40):
    loss = loss_of(torch.randn(4, 3), torch.randn(4, 2))
    if loss is None:
        print(i, None)
        continue
    loss.backward()
    with torch.no_grad():
        for p in (w, b):
            if p.grad is not None:
                p -= 0.05 * p.grad
                p.grad = None
    print(i, round(loss.item(), 5), loss.grad_fn.name() if i % 9 == 0 else '', b.grad)

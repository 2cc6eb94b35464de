# An in-place write on one side of a branch: what only that side uses has no gradient after the other.
import torch

torch.manual_seed(0)
used = torch.randn(4, 4, requires_grad=True)
always = torch.randn(4, 4, requires_grad=True)


def step(x):
    out = x @ always
    view = out[2:]
    if x[0, 0].item() > 0.1:
        out[1:3] = x[1:3] @ used
    elif x[0, 1].item() > 0.5:
        view.mul_(always[2:] * 0.1)
    loss = ((out - x) ** 2).mean() + view.sum() * 0.01
    loss.backward()
    grads = [None if p.grad is None else round(p.grad.sum().item(), 3) for p in (used, always)]
    used.grad = always.grad = None
    return loss.item(), grads


for i in range(60):
    loss, grads = step(torch.randn(4, 4))
    if i % 4 == 0:
        print(f"{loss:.3f}", grads)

"""`detach_()` of gradients and of hidden states, in hot loops."""
import torch

torch.manual_seed(4)
w = torch.randn(5, 5, requires_grad=True)
b = torch.zeros(5, requires_grad=True)


def zero_grads(params):
    for p in params:
        if p.grad is not None:
            p.grad.detach_()
            p.grad.zero_()


h = torch.zeros(5)
for k in range(60):
    x = torch.randn(5)
    h = (x @ w + h * 0.5 + b).tanh()
    loss = (h ** 2).sum() + (h * b).sum()
    zero_grads([w, b])
    loss.backward()
    h.detach_()
    with torch.no_grad():
        w -= 0.05 * w.grad
        b -= 0.05 * b.grad
    if k % 10 == 0:
        print(k, f"{loss.item():.4f} {w.grad.abs().sum().item():.4f} {b.grad.sum().item():.4f}", h.requires_grad, h.is_leaf, h.grad_fn)

out = torch.ones(3)
for k in range(40):
    y = (out * 2 + w[0, :3]).sigmoid()
    out = y.detach_()
    if k % 10 == 0:
        print(k, [round(v, 4) for v in out.tolist()], out is y, y.requires_grad)

for make in (lambda: torch.zeros(3)[:2], lambda: w[0], lambda: w.detach(), lambda: w.view(25), lambda: (w * 2)):
    try:
        print(make().detach_().requires_grad)
    except RuntimeError as e:
        print(str(e)[:40])

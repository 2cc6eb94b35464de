# Parameters that only one side of a branch uses: their gradient is None, not zeros, where it did not.
import torch

torch.manual_seed(3)
a = torch.randn(3, requires_grad=True)
b = torch.randn(3, requires_grad=True)
c = torch.randn(3, requires_grad=True)


def loss_of(x):
    s = (x * a).sum()
    if s > 0:
        y = s * b.tanh()
    elif x[0] > 0:
        y = (x - c) * b
    else:
        y = x * 2 + a
    return (y * y).mean()


seen = []
for i in range(60):
    x = torch.randn(3)
    loss = loss_of(x)
    loss.backward()
    seen.append("".join("." if p.grad is None else "x" for p in (a, b, c)))
    with torch.no_grad():
        for p in (a, b, c):
            if p.grad is not None:
                p -= 0.01 * p.grad.clamp(-1, 1)
    if i % 2:
        a.grad = b.grad = c.grad = None
print(" ".join(seen))
for i in range(20):
    loss_of(torch.randn(3)).backward()
for p in (a, b, c):
    print(f"{p.sum().item():.4f}", "none" if p.grad is None else f"{p.grad.sum().item():.3f}")

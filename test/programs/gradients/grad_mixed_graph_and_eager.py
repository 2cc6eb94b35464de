# Losses from a hot function are kept and differentiated together later.
import torch

torch.manual_seed(4)
w = torch.randn(3, requires_grad=True)


def term(x, k):
    y = torch.tanh(w * x) * k
    return y.sum() if k % 2 else (y * y).mean()


pending = []
for i in range(24):
    pending.append(term(torch.randn(3), i % 4))
    if len(pending) == 4:
        loss = sum(pending) / len(pending)
        g = torch.autograd.grad(loss, w)[0]
        with torch.no_grad():
            w -= 0.2 * g
        pending.clear()
        if i % 8 == 7:
            print(i, f"{loss.item():.5f}", [f"{v:.4f}" for v in g.tolist()])

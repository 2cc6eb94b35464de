# Rows and columns of a buffer are written in place; the gradient goes through the writes.
import torch

torch.manual_seed(31)
w = torch.randn(3, requires_grad=True)


def fill(w, k):
    buffer = torch.zeros(4, 3)
    buffer[0] = w * k
    buffer[1:3, 1] = w[:2]
    buffer[3].add_(w * w)
    return buffer


for i in range(16):
    out = fill(w, i * 0.5)
    loss = (out * out).sum()
    w.grad = None
    loss.backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
    if i % 5 == 4:
        print(i, f"{loss.item():.5f}", [f"{v:.5f}" for v in w.grad.tolist()])
print([f"{v:.5f}" for v in w.tolist()])

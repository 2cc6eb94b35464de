# A chain of in-place operations on slices of one buffer that also feeds the gradient.
import torch

torch.manual_seed(2)
w = torch.randn(4, requires_grad=True)


def fill(n):
    buf = torch.zeros(n, 4)
    buf[0] = w
    for i in range(1, n):
        buf[i] = torch.tanh(buf[i - 1]) + 0.1 * i
        buf[i, i % 4] *= 2
    buf[-1:].add_(1)
    return buf


for n in (3, 3, 3, 3, 5, 3, 2):
    out = fill(n)
    w.grad = None
    out.sum().backward()
    print(n, f"{out.sum().item():.4f}", [f"{g:.4f}" for g in w.grad.tolist()])

# The same function sees vectors, matrices and 3-d tensors.
import torch


def normalise(x, w):
    y = x - x.mean(-1, keepdim=True)
    return (y * w).pow(2).sum() / y.numel()


torch.manual_seed(24)
w = torch.randn(4, requires_grad=True)
shapes = [(4,)] * 5 + [(3, 4)] * 5 + [(2, 3, 4)] * 5 + [(4,), (1, 4), (5, 4), (1, 1, 4)]
for i, shape in enumerate(shapes):
    loss = normalise(torch.randn(shape), w)
    w.grad = None
    loss.backward()
    if i % 3 == 0:
        print(shape, f"{loss.item():.5f} {w.grad.norm().item():.5f}")

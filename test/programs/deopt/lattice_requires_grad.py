# The same function with and without gradients, with leaves and intermediate tensors.
import torch


def f(x, w):
    return torch.sigmoid(x @ w).sum()


torch.manual_seed(26)
x = torch.randn(2, 3)
w = torch.randn(3)
for i in range(100):
    if i == 5:
        w.requires_grad_(True)
    if i == 10:
        x = (torch.randn(2, 3, requires_grad=True) * 2)
    if i == 15:
        w = w.detach()
    y = f(x, w)
    if y.requires_grad:
        y.backward(retain_graph=True)
    if i % 5 == 4:
        print(i, f"{y.item():.5f}", y.requires_grad, None if w.grad is None else f"{w.grad.sum().item():.4f}", x.is_leaf)

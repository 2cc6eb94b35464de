# Branches on tensors: both sides happen, and both have gradients.
import torch

torch.manual_seed(9)
a = torch.randn(3, requires_grad=True)
b = torch.randn(3, requires_grad=True)


def f(x):
    s = (x * a).sum()
    if s > 0:
        return s * 2
    else:
        return ((x - b) ** 2).sum()


signs = []
for i in range(20):
    x = torch.randn(3)
    loss = f(x)
    loss.backward()
    signs.append(loss.item() > 0)
print(sum(signs), [f"{v:.4f}" for v in a.grad.tolist()], [f"{v:.4f}" for v in b.grad.tolist()])

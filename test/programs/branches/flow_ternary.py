# Conditional expressions choose between tensors, numbers and None.
import torch


def choose(x, flag, scale=None):
    s = 1.0 if scale is None else scale
    y = x * s if flag else x + s
    z = y.sum() if y.dim() > 1 else y
    return z if flag or scale is None else -z


torch.manual_seed(1)
x = torch.randn(3, 2, requires_grad=True)
total = 0.0
for i in range(20):
    r = choose(x, i % 3 == 0, None if i % 2 else 0.5 * i)
    total += r.item() if r.dim() == 0 else r.sum().item()
    r.sum().backward()
print(f"{total:.4f}")
print([f"{v:.3f}" for v in x.grad.flatten().tolist()])

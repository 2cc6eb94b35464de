# Transposed, sliced, expanded and zero-sized arguments of the same shape.
import torch


def f(x):
    y = x * 2 + 1
    return y, y.t().sum(0) if y.dim() == 2 else y


torch.manual_seed(27)
base = torch.randn(4, 4)
variants = [
    base, base.t(), base[:, :].flip(0), torch.randn(8, 4)[::2], torch.randn(4, 1).expand(4, 4),
    torch.randn(4, 8)[:, 2:6], torch.empty(0, 4), base.diagonal(),
]
for i in range(288):
    x = variants[0] if i < 6 else variants[i % 8]
    y, z = f(x)
    if i >= 272:
        print(i % 8, tuple(y.shape), x.is_contiguous(), f"{y.sum().item():.4f}", [f"{v:.3f}" for v in z.tolist()][:2])

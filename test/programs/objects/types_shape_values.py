# Shapes as values: unpacked, compared, multiplied, put into views.
import torch


def split_heads(x, heads):
    b, t, d = x.shape
    assert d % heads == 0
    if t > 1 and x.size(0) == b:
        x = x.view(b, t, heads, d // heads).transpose(1, 2)
    else:
        x = x.view(b, heads, t, -1)
    n = x.numel()
    return x.reshape(b * heads, -1), n, x.ndim


torch.manual_seed(5)
for b, t in [(2, 3), (2, 3), (2, 3), (2, 3), (4, 3), (2, 5), (1, 1), (3, 1), (2, 7)]:
    y, n, rank = split_heads(torch.randn(b, t, 8), 2)
    print(tuple(y.shape), n, rank, list(y.shape) == [b * 2, t * 4], f"{y.abs().sum().item():.3f}")

# Chained comparisons of ints, floats and of numbers read from tensors.
import torch


def clip_step(x, low, high, k):
    m = x.mean().item()
    if low < m < high:
        x = x * 1.1
    elif low <= m <= high and 0 < k <= 5:
        x = x * 0.9
    elif m >= high > low:
        x = x - (m - high)
    else:
        x = x + (low - m)
    return x, 0 <= k < 10 != False


torch.manual_seed(3)
x = torch.randn(5)
flags = 0
for k in range(20):
    x, flag = clip_step(x, -0.1, 0.1 + 0.01 * k, k)
    flags += flag
    x = x + 0.05
print(flags, [f"{v:.4f}" for v in x.tolist()])
print(1 < 2 < 3, 1 < 3 > 2 >= 2, not 1 < 2 < 2)

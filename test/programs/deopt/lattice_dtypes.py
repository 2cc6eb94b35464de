# float32, float64 and int64 arguments in turn.
import torch


def f(a, b):
    c = a * b + a
    return c.sum(), c.dtype, (c > 1).sum().item()


kinds = [torch.float32, torch.float64, torch.int64, torch.int32, torch.bool]
for i in range(360):
    d = kinds[i // 6] if i < 24 else kinds[i % 4]
    a = torch.arange(6).reshape(2, 3).to(d)
    total, dtype, count = f(a, torch.ones(3).to(d))
    if i % 5 == 0:
        print(d, f"{float(total):.2f}", dtype, count)

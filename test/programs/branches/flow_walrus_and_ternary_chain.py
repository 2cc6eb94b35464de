# Walrus assignments in conditions, chained ternaries, and del of a local.
import torch


def f(x, k):
    if (n := k % 5) > 2 and (m := x.sum().item()) > 0:
        y = x * n + m
    else:
        m = -1.0
        y = x - n
    z = y if n == 0 else y * 2 if n < 3 else y * 3
    tmp = z.mean()
    del y
    while (tmp := tmp / 2).abs() > 0.25:
        n += 1
    return tmp, n, m


torch.manual_seed(1)
out = []
for k in range(24):
    t, n, m = f(torch.randn(3) * 4, k)
    out.append((round(t.item(), 4), n, round(m, 3)))
print(out[::5])
print(sum(o[1] for o in out))

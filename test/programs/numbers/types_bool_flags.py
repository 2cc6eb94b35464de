# bools that are used as ints, in arithmetic, as indices and as keyword options.
import torch


def f(x, keep, flip):
    y = x.sum(0, keepdim=keep)
    sign = (1, -1)[flip]
    return y * sign + keep + 2 * flip, [keep, flip][not keep]


x = torch.arange(6.0).reshape(2, 3)
for i in range(80):
    y, flag = f(x, bool(i & 1), i % 3 == 0)
    if i > 11:
        print(i, y.tolist(), flag, y.shape, True + True)

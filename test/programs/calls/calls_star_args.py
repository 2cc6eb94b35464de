# *args and **kwargs packed, forwarded and unpacked in the hot path.
import torch


def inner(x, *rest, scale=1, **options):
    out = x * scale
    for r in rest:
        out = out + r
    return out, len(rest), sorted(options)


def outer(*args, **kwargs):
    kwargs["scale"] = kwargs.get("scale", 1) + 1
    first, *others = args
    return inner(first, *others, **kwargs)


x = torch.ones(2)
for i in range(192):
    y, n, names = outer(x, *range(i % 3), bias=i, **({"scale": 2} if i % 2 else {}))
    x = y * 0.1
    if i % 4 == 3:
        print(i, [f"{v:.4f}" for v in y.tolist()], n, names)

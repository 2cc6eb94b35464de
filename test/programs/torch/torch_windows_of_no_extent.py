# Windows that are none, or larger than their image: pooling, unfold, fold, and images without elements.
import torch
import torch.nn.functional as F

one, two = torch.arange(8.0).reshape(1, 2, 4), torch.arange(18.0).reshape(1, 2, 3, 3)
CALLS = {
    "max_pool1d": lambda k: F.max_pool1d(one, k),
    "max_pool1d of stride": lambda k: F.max_pool1d(one, 2, k),
    "max_pool1d padded": lambda k: F.max_pool1d(one, 2, padding=k),
    "max_pool1d dilated": lambda k: F.max_pool1d(one, 2, dilation=k),
    "max_pool2d": lambda k: F.max_pool2d(two, k),
    "max_pool2d dilated": lambda k: F.max_pool2d(two, 2, dilation=k),
    "avg_pool1d": lambda k: F.avg_pool1d(one, k) if k < 4 else None,
    "avg_pool1d of stride": lambda k: F.avg_pool1d(one, 2, k),
    "avg_pool2d": lambda k: F.avg_pool2d(two, k),
    "unfold": lambda k: F.unfold(two, k),
    "unfold of stride": lambda k: F.unfold(two, 2, stride=k),
    "unfold dilated": lambda k: F.unfold(two, 2, dilation=k),
    "unfold padded": lambda k: F.unfold(two, 2, padding=k),
    "fold": lambda k: F.fold(torch.ones(1, 4, 4), (3, 3), k),
    "fold of stride": lambda k: F.fold(torch.ones(1, 4, 4), (3, 3), 2, stride=k),
}
for name, call in CALLS.items():
    for turn in range(4):
        for k in (1, 2, 0, -1, 4):
            if "max_pool1d" in name and k == 4 and "padded" not in name and "stride" not in name:
                continue
            try:
                r = call(k)
                text = None if r is None else (tuple(r.shape), round(r.sum().item(), 3))
            except RuntimeError as e:
                text = str(e)
            if turn == 3:
                print(name, k, text)
for shape in ((0, 4, 4), (0, 1, 4, 4), (1, 0, 4, 4), (2, 1, 0, 4), (1, 1, 3, 4), (1, 1, 4, 3), (4, 4), (4,)):
    for name, f in (("pixel_unshuffle", F.pixel_unshuffle), ("pixel_shuffle", F.pixel_shuffle)):
        for factor in (2, 0, -2):
            try:
                print(name, shape, factor, tuple(f(torch.ones(shape), factor).shape))
            except RuntimeError as e:
                print(name, shape, factor, e)
print(F.unfold(torch.ones(0, 1, 3, 3), 2).shape)

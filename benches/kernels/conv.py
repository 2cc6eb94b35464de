"""Convolutions, forward and both gradients, in CPU time: the same file for both sides.

    python3 benches/kernels/conv.py [threads [case]]
    janus-jit run --tier 0 benches/kernels/conv.py [threads [case]]
"""
import sys
import time

import torch
import torch.nn.functional as F

torch.set_num_threads(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
CASES = [
    # name, images, channels, extent, filters, kernel, stride, padding, groups
    ("lenet1", 64, 1, 28, 6, 5, 1, 2, 1),
    ("lenet2", 64, 6, 14, 16, 5, 1, 0, 1),
    ("stem7x7", 4, 3, 112, 64, 7, 2, 3, 1),
    ("r64_56", 4, 64, 56, 64, 3, 1, 1, 1),
    ("r64_256_1x1", 4, 64, 56, 256, 1, 1, 0, 1),
    ("r128_28", 4, 128, 28, 128, 3, 1, 1, 1),
    ("r256_14", 4, 256, 14, 256, 3, 1, 1, 1),
    ("r256_14s2", 4, 256, 14, 256, 3, 2, 1, 1),
    ("r512_7", 4, 512, 7, 512, 3, 1, 1, 1),
    ("r1024_512_1x1s2", 4, 1024, 14, 2048, 1, 2, 0, 1),
    ("r2048_512_7", 4, 2048, 7, 512, 1, 1, 0, 1),
    ("dw64_56", 4, 64, 56, 64, 3, 1, 1, 64),
    ("cifar16_32", 32, 16, 32, 16, 3, 1, 1, 1),
]


def quartile(f, budget):
    """The faster quartile of a call's CPU seconds."""
    t = time.process_time()
    f()
    f()
    one = (time.process_time() - t) / 2
    reps = max(3, int(budget / max(one, 1e-6)))
    times = []
    for _ in range(reps):
        t = time.process_time()
        f()
        times.append(time.process_time() - t)
    times.sort()
    return times[len(times) // 4]


only = sys.argv[2] if len(sys.argv) > 2 else ""
for name, n, c, h, o, k, s, p, g in CASES:
    if only and only not in name:
        continue
    x = torch.randn(n, c, h, h)
    w = torch.randn(o, c // g, k, k)
    out = F.conv2d(x, w, None, s, p, 1, g)
    gr = torch.randn(out.shape)
    flops = 2.0 * out.numel() * c // g * k * k
    with torch.no_grad():
        f = quartile(lambda: F.conv2d(x, w, None, s, p, 1, g), 0.25)
    xr = x.clone().requires_grad_()
    y = F.conv2d(xr, w, None, s, p, 1, g)
    gi = quartile(lambda: torch.autograd.grad(y, xr, gr, retain_graph=True), 0.25)
    wr = w.clone().requires_grad_()
    y2 = F.conv2d(x, wr, None, s, p, 1, g)
    gw = quartile(lambda: torch.autograd.grad(y2, wr, gr, retain_graph=True), 0.25)
    parts = [("forward", f), ("image", gi), ("filters", gw)]
    print(name, *("%s %.3f ms %.1f GF/s" % (k, t * 1e3, flops / t / 1e9) for k, t in parts), sep="  ")

"""Arguments outside of what a function holds for: errors, and not numbers of something else."""
import torch
import torch.nn.functional as F


def show(name, f):
    try:
        print(name, f())
    except Exception as e:
        print(name, type(e).__name__, str(e).split("\n")[0][:140])


torch.manual_seed(0)
scores = torch.randn(5, 2, 4).log_softmax(2)
rows = torch.tensor([[1, 2], [3, 3]])
for inputs, targets, lengths in (
    ((9, 4), rows, (2, 2)), ((-1, 4), rows, (2, 2)), ((5, 4), rows, (3, 2)), ((5, 4), rows, (-1, 2)),
    ((5, 4), torch.tensor([1, 2, 3]), (2, 2)), ((5, 4), rows[:1], (2, 2)), ((5, 4), rows, (1, 2)),
):
    show("ctc", lambda: round(F.ctc_loss(scores, targets, inputs, lengths).item(), 4))
for shape in ((2,), (2, 2), (2,) * 6, (1, 2, 2), (1, 1, 2, 2)):
    for mode in ("nearest", "bilinear", "bicubic", "area", "none"):
        show(mode, lambda: F.interpolate(torch.ones(shape), scale_factor=2, mode=mode).shape)
show("factors", lambda: F.interpolate(torch.ones(1, 1, 2, 2), scale_factor=(2,)))
show("size", lambda: F.interpolate(torch.ones(1, 1, 2, 2), size=(2, 2.5)))
show("recompute", lambda: F.interpolate(torch.ones(1, 1, 2, 2), size=2, recompute_scale_factor=True))
show("quantile", lambda: torch.quantile(torch.ones(2).half(), 0.5))
show("nanquantile", lambda: torch.nanquantile(torch.ones(2, dtype=torch.bfloat16), 0.5))
show("nanquantile", lambda: torch.nanquantile(torch.ones(2).long(), 0.5))
with torch.inference_mode():
    frozen = torch.ones(2)
show("version", lambda: frozen._version)

x = torch.arange(1.0, 10.0).reshape(1, 1, 3, 3)
nan, inf = float("nan"), float("inf")
show("nowhere", lambda: F.grid_sample(x, torch.tensor([[[[nan, 0.0], [inf, 0.0], [0.0, 0.5]]]]), align_corners=True))
grid = torch.tensor([[[[-1.0, -1.0], [0.5, 1.0], [-2.0, 0.25]]]], requires_grad=True)
F.grid_sample(x, grid, padding_mode="border", align_corners=True).sum().backward()
print(grid.grad + 0.0)


class Handed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x * factor, factor, "text"

    @staticmethod
    def backward(ctx, grad, *others):
        print(others)
        return grad * ctx.factor, None


class Odd(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return 3


w = torch.ones(2, requires_grad=True)
for k in range(5):
    y, factor, text = Handed.apply(w, 2.0 + k)
    y.sum().backward()
    print(factor, text, w.grad)
show("odd", lambda: Odd.apply(w).sum().backward())
show("legacy", lambda: Odd()(w))

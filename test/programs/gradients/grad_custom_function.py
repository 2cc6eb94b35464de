# torch.autograd.Function with saved tensors inside a training loop.
import torch


class ClampedSquare(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.save_for_backward(x)
        ctx.limit = limit
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return (2 * x).clamp(-ctx.limit, ctx.limit) * g, None


torch.manual_seed(9)
w = torch.randn(4, requires_grad=True)
for i in range(15):
    loss = ClampedSquare.apply(w - 1, 0.5).sum()
    w.grad = None
    loss.backward()
    with torch.no_grad():
        w.sub_(w.grad, alpha=0.3)
print(f"{loss.item():.5f}", [f"{v:.4f}" for v in w.tolist()], [f"{v:.4f}" for v in w.grad.tolist()])

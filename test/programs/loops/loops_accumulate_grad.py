# Gradients flow through values accumulated in a list over a loop.
import torch

torch.manual_seed(18)
w = torch.randn(3, requires_grad=True)


def unroll(x, n):
    hidden = []
    for t in range(n):
        x = torch.sin(x * w) + 0.1 * t
        hidden.append(x)
    stacked = torch.stack(hidden)
    return stacked.mean() + hidden[0].sum() * 0.1 + hidden[-1].max()


x = torch.randn(3)
for n in [3, 3, 3, 3, 6, 3, 4, 10]:
    w.grad = None
    loss = unroll(x, n)
    loss.backward()
    print(n, f"{loss.item():.5f}", [f"{g:.4f}" for g in w.grad.tolist()])

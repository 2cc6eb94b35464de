"""A write on one side of a branch that changes nothing is a write: what a gradient needs is no longer what it was."""
import random
import torch
random.seed(1)
torch.manual_seed(1)
w = torch.randn(3, requires_grad=True)
W = torch.randn(3, 3, requires_grad=True)
def step(i, n, m):
    u, a = torch.zeros(3), torch.ones(3, 3) * 0.25
    t = W @ u - 1
    k0 = 0
    while k0 < n:
        k0 += 1
        if m == 2:
            u = (torch.tanh(w)).detach().clone()
        elif m == 0:
            v = u if random.random() < 0.5 else a[1]; v.mul_(0.5)
    loss = (t * w).sum()
    loss.backward()
    w.grad = W.grad = None
    return loss.item()
for i in range(40):
    try:
        print(i, f"{step(i, i % 5, i % 3):.4f}")
    except RuntimeError as e:
        print(i, type(e).__name__, str(e).split(":")[0])

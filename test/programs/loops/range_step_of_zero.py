"""A range whose step may be 0, around what needs gradients: the loop ends, and tier 0 raises."""
import torch
torch.manual_seed(0)
w = torch.randn(3, requires_grad=True)
def step(x, y, i):
    m, t, u, n = i % 3, x, torch.zeros(3), 0
    gs = []
    for k0, row in zip(range(i % 6), y):
        for k1 in range(m, i % 8, m % 5):
            n += k1
            u.add_(0.25)
            t = t + u
        t = t + row * 0.25
        gs.append(t)
    total = sum(v.sum() for v in gs)
    loss = (t * w).sum() + total * 0.1
    loss.backward()
    with torch.no_grad():
        w.sub_(0.01 * w.grad.clamp(-1.0, 1.0))
    w.grad = None
    return loss.item(), n
for i in range(32):
    x = torch.full((3,), float(i % 5) - 2.0)
    y = torch.arange(3.0 * (1 + i % 4)).reshape(-1, 3) * 0.1
    try:
        loss, n = step(x, y, i)
        print(i, f"{loss:.4f}", n)
    except ValueError as e:
        print(i, e)
print([f"{v:.4f}" for v in w.tolist()])

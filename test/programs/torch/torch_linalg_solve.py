# Inverses, determinants and linear systems, with gradients and batches.
import torch

torch.manual_seed(0)
a = (torch.randn(4, 4, dtype=torch.float64)).requires_grad_()
x = torch.linalg.inv(a)
(x * torch.arange(4.0)).sum().backward()
print(f"{x.sum().item():.4f} {a.grad.abs().sum().item():.4f}", torch.allclose(x @ a, torch.eye(4, dtype=torch.float64)))
a.grad = None
d = torch.det(a)
d.backward()
print(f"{d.item():.5f} {a.grad.sum().item():.5f}")
b = torch.randn(4, 2, dtype=torch.float64)
print([f"{v:.4f}" for v in torch.linalg.solve(a, b).flatten().tolist()])
print([f"{v:.4f}" for v in torch.linalg.solve(a, b[:, 0]).tolist()])
m = torch.randn(3, 2, 2)
print([f"{v:.3f}" for v in m.inverse().flatten().tolist()], [f"{v:.3f}" for v in torch.linalg.det(m).tolist()])
p = torch.tensor([[0.0, 2.0], [3.0, 1.0]])
print(torch.inverse(p).tolist(), p.det().item(), f"{torch.logdet(p.flip(0)).item():.4f}", torch.det(torch.zeros(2, 2)).item())
for f in (lambda: torch.inverse(torch.ones(2, 2)), lambda: torch.linalg.inv(torch.ones(2, 3)), lambda: torch.linalg.inv(torch.ones(2)),
          lambda: torch.linalg.inv(torch.ones(2, 2, dtype=torch.int64))):
    try:
        f()
    except RuntimeError as e:
        print(e)
w = torch.eye(3, requires_grad=True)
target = torch.tensor([1.0, 2.0, 3.0])
for i in range(15):
    loss = (torch.linalg.solve(w + 0.1, target) - 1).pow(2).sum()
    w.grad = None
    loss.backward()
    with torch.no_grad():
        w -= 0.05 * w.grad
print(f"{loss.item():.5f}", [f"{v:.4f}" for v in w.diagonal().tolist()])

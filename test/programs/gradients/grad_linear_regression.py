# Hand-written gradient descent with requires_grad tensors and no_grad updates.
import torch

torch.manual_seed(0)
X = torch.randn(30, 3)
true = torch.tensor([1.0, -2.0, 0.5])
Y = X @ true + 0.3
w = torch.zeros(3, requires_grad=True)
b = torch.zeros((), requires_grad=True)
for i in range(40):
    loss = ((X @ w + b - Y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
        b -= 0.1 * b.grad
    w.grad.zero_()
    b.grad = None
    if i % 10 == 9:
        print(i, f"{loss.item():.6f}")
print([f"{v:.3f}" for v in w.tolist()], f"{b.item():.3f}", b.grad, w.grad.tolist())

import torch

torch.manual_seed(0)
x = torch.linspace(-1, 1, 50).unsqueeze(1)
y = 3 * x**2 + 0.5 * x - 1 + 0.05 * torch.randn(50, 1)
w1 = torch.randn(1, 16, requires_grad=True)
b1 = torch.zeros(16, requires_grad=True)
w2 = (torch.randn(16, 1) * 0.1).requires_grad_()
b2 = torch.zeros(1, requires_grad=True)
params = [w1, b1, w2, b2]
lr = 0.1
for epoch in range(101):
    pred = torch.relu(x @ w1 + b1) @ w2 + b2
    loss = ((pred - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        for p in params:
            p -= lr * p.grad
            p.grad.zero_()
    if epoch % 20 == 0:
        print(epoch, f"{loss.item():.5f}")
print(b2, w2.shape, w2.is_leaf)

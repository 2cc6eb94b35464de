# A chain of branches on a Python number that every step changes.
import torch

torch.manual_seed(0)
w = torch.randn(4, 4, requires_grad=True)
counts = [0, 0, 0, 0]


def step(x, k):
    if k % 4 == 0:
        y = x @ w
        counts[0] += 1
    elif k % 4 == 1:
        y = torch.relu(x @ w)
        counts[1] += 1
    elif k % 4 == 2:
        y = torch.tanh(x @ w) * 2
        counts[2] += 1
    else:
        y = x - w.sum(0)
        counts[3] += 1
    return (y * y).mean()


x = torch.randn(3, 4)
for k in range(24):
    loss = step(x, k)
    loss.backward()
    with torch.no_grad():
        w -= 0.05 * w.grad
        w.grad = None
    if k % 6 == 0:
        print(k, f"{loss.item():.5f}")
print(counts, f"{w.sum().item():.4f}")

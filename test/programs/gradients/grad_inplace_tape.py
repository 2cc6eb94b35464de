# In-place operations on tensors of the tape, views of them, and an error for a lost value.
import torch


def f(x, k):
    y = x * 2
    y[0] = y[1] * k
    y[1:] += x[:-1]
    z = y.clone()
    z.mul_(y)
    return z.sum()


torch.manual_seed(18)
x = torch.randn(3, requires_grad=True)
for k in range(14):
    x.grad = None
    out = f(x, k)
    out.backward()
print(f"{out.item():.4f}", [f"{g:.4f}" for g in x.grad.tolist()])
y = x.exp()
z = y * y
y.add_(1)
try:
    z.sum().backward()
except RuntimeError as e:
    print("modified by an inplace operation" in str(e))
try:
    x.add_(1)
except RuntimeError as e:
    print(e)

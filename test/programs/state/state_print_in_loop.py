# print in a hot loop, with separators and ends; and between tensor operations.
import torch

torch.manual_seed(12)
w = torch.randn(2, 2, requires_grad=True)


def step(i):
    x = torch.full((2,), i / 10)
    print("in", i, end=" ")
    y = (x @ w).sum()
    print(f"{y.item():.4f}", sep="", end="")
    y.backward()
    print(" grad", f"{w.grad.sum().item():.3f}", "odd" if i % 2 else "even", sep="|")
    return y


for i in range(15):
    step(i)
    if i % 5 == 0:
        print()


weight = torch.ones(3, requires_grad=True)
for t in range(24):
    loss = (weight * torch.arange(3.0)).sum() * 0.25
    loss.backward()
    with torch.no_grad():
        weight -= 0.25 * weight.grad
    weight.grad = None
    if t % 5 == 0:
        print("loss %.4f" % loss)
    print("%d: %s and %g, %s" % (t, loss.detach(), loss, [t]), "%s" % t, "%10.3e|" % loss)

# A while loop whose trip count depends on a Python number that moves.
import torch


def halve(x, n):
    steps = 0
    while n > 0:
        if n % 2:
            x = x * 0.9 + 1
        else:
            x = x / 2
        n //= 2
        steps += 1
    return x, steps


torch.manual_seed(4)
x = torch.randn(4, requires_grad=True)
total = 0
loss = 0
for n in range(1, 25):
    y, steps = halve(x, n)
    total += steps
    loss = loss + y.sum()
loss.backward()
print(total, f"{loss.item():.3f}", [f"{g:.4f}" for g in x.grad.tolist()])

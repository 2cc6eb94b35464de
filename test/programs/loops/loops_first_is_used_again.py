"""What a loop begins with is used in each of its iterations, too: its gradient is one sum, in the tape's order."""

import torch

torch.manual_seed(0)
w = torch.randn(3, requires_grad=True)
p = torch.randn(3, 3, requires_grad=True)


def residual(x, n):
    first = x * w
    h, all_of_it = first, [first]
    k = 0
    while k < n and not (h.sum() > 90):
        k += 1
        h = h + all_of_it[-1] * 0.3
    return (h * w).sum()


def solve(x, n):
    given = x * w + 0.1
    z = given
    for _ in range(n):
        z = z * 0.7 - given * 0.3 + z * given
    return z.sum()


for i in range(40):
    x = torch.linspace(-0.7, 0.9, 3) * (i % 5 + 1)
    loss = residual(x, i % 7) + solve(x * 0.1, i % 9)
    loss.backward()
    print(i, w.grad.tolist())
    w.grad = None

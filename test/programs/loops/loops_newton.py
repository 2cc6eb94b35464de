# Newton's method: a while loop on a float read from a tensor, with a limit and an else.
import torch


def root(c, guess, limit):
    x = guess
    n = 0
    while n < limit:
        fx = x * x - c
        if abs(fx.item()) < 1e-5:
            break
        x = x - fx / (2 * x)
        n += 1
    else:
        return x, -1
    return x, n


for i in range(1, 16):
    x, n = root(torch.tensor(float(i)), torch.tensor(1.0 + i), 5 if i % 4 else 2)
    if i % 3 == 0:
        print(i, n, f"{x.item():.4f}")

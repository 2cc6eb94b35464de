# The script ends in an uncaught exception, after hot work; stdout holds all that came before.
import torch

seen = []


def risky(x, i):
    seen.append(i)
    y = x / (20 - i)
    if i == 20:
        raise RuntimeError("the end")
    return y.sum()


total = 0.0
for i in range(30):
    total += risky(torch.ones(3), i).item()
    if i % 5 == 0:
        print(i, f"{total:.4f}", len(seen))

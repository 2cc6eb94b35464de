# A function that raises on some calls; the state before the raise stays.
import torch

log = []
total = torch.zeros(2)


def step(x, i):
    log.append(i)
    total.add_(x)
    if i % 7 == 6:
        raise ValueError(f"bad step {i}")
    log.append(-i)
    return x * 2


good = bad = 0
for i in range(22):
    try:
        y = step(torch.ones(2) * i, i)
        good += 1
    except ValueError as e:
        bad += 1
        print("caught", e, log[-2:], total.tolist())
print(good, bad, len(log), total.tolist())

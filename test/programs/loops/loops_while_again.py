import torch

x = torch.ones(3)
calls = 0


def f(x):  # expect: tier 2, at most 20 entries in tier 0
    global calls
    calls += 1
    return torch.sin(x) * 2 + 0.1


t = 0
while True:
    x = f(x)
    if t % 10 == 0:
        print(t, f'{x.sum().item():.4f}')
    t += 1
    if t > 100:
        break

for outer in range(20):
    n = 0
    while n < 5:
        x = f(x) * 0.5
        n += 1
    else:
        x = x + outer
print(calls, x.tolist())

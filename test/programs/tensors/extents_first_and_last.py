# The first and the last of rows whose number moves, with whatever they are spread over; empty tensors among them.
import torch

torch.manual_seed(1)


def last_to_all(x):
    return (x[-1:] * x).sum()


def first_to_some(x, k):
    return (x[:1] + 0.01 * x[:k]).mean()


def differences(x):
    return torch.cat([x[:1], x[1:] - x[:-1]]).abs().sum()


total = torch.zeros(())
for i in range(60):  # expect: tier 2, at most 6 entries in tier 0
    x = torch.randn(2 + i % 7, 4)
    total = total + last_to_all(x) + first_to_some(x, 1 + i % 3) + differences(x)
print(f"{total.item():.4f}")

rows = [torch.full((i % 5, 3), float(i)) for i in range(60)]
total = torch.zeros(())
empty = 0
for x in rows:  # expect: tier 2, at most 10 entries in tier 0
    total = total + (x[-1:] * x).sum() + x[:1].sum()
    if x.shape[0] == 0:
        empty += 1
print(f"{total.item():.4f}", empty)


def shifted(x):
    return x - x[-1:]


shapes = []
for i in range(40):  # expect: tier 2, at most 6 entries in tier 0
    y = shifted(torch.ones((i * 3) % 4, 2))
    shapes.append(tuple(y.shape))
print(shapes[-8:])

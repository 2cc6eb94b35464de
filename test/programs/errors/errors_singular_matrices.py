# Matrices without an inverse or a factor raise in a graph as they do outside of one.
import torch


def damped(j, f):
    lam, tries = 0.0, 0
    while True:
        try:
            d = torch.linalg.solve(j + lam * torch.eye(2), f)
            break
        except RuntimeError:
            tries += 1
            lam = 0.1 if lam == 0 else lam * 10
    return d, lam, tries


for i in range(10):
    j = torch.zeros(2, 2) if i in (6, 7, 9) else torch.eye(2) * (i + 1)
    print(i, *damped(j, torch.ones(2)))


def inverse(a):
    return torch.linalg.inv(a * 2).sum()


def power(a):
    return torch.matrix_power(a + 0, -2)


def factor(a):
    return torch.linalg.cholesky(a + 0)


def old_factor(a):
    return (a + 0).cholesky(upper=True)


def solution(a):
    return torch.linalg.solve(a * 1, torch.ones(3, 2, 1))


good = torch.tensor([[2.0, 1.0], [1.0, 3.0]])
bad = torch.tensor([[-1.0, -2.0], [-2.0, -4.0]])
for function in (inverse, power, factor, old_factor):
    for i in range(9):
        try:
            print(function.__name__, function(bad if i in (0, 6, 8) else good + i))
        except torch.linalg.LinAlgError as e:
            print(function.__name__, type(e), isinstance(e, RuntimeError), e)

batch = torch.stack([good, good + 1, good + 2])
for i in range(8):
    a = batch.clone()
    if i == 6:
        a[1] = bad
    for function in (solution, factor, inverse):
        try:
            print(i, function(a).flatten()[:3])
        except RuntimeError as e:
            print(i, type(e).__name__, e)

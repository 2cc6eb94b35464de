# Triangular systems, systems from the right, and those of a Cholesky factor, with their gradients.
import torch

torch.manual_seed(0)
torch.set_printoptions(precision=3, sci_mode=False)
f64 = torch.float64


def weighted(t):
    return (t * torch.arange(1, t.numel() + 1).reshape(t.shape)).sum()


for batch, sides in (((), ()), ((2,), (2,)), ((3, 1), (2,)), ((), (2,))):
    a = (torch.randn(*batch, 3, 3, dtype=f64) + 3 * torch.eye(3, dtype=f64)).requires_grad_()
    right = torch.randn(*sides, 3, 2, dtype=f64, requires_grad=True)
    for upper in (False, True):
        for unit in (False, True):
            x = torch.linalg.solve_triangular(a, right, upper=upper, unitriangular=unit)
            ga, gr = torch.autograd.grad(weighted(x), (a, right))
            y = torch.linalg.solve_triangular(a, right.transpose(-1, -2), upper=upper, left=False, unitriangular=unit)
            print(x.shape, f"{x.sum().item():.4f} {ga.sum().item():.4f} {gr.sum().item():.4f}", y.shape, f"{y.sum().item():.4f}")
    print(ga.triu().equal(ga), torch.linalg.solve(a, right.transpose(-1, -2), left=False).detach().sum((-1, -2)))
    spd = a @ a.transpose(-1, -2)
    for upper in (False, True):
        factor = torch.linalg.cholesky(spd, upper=upper)
        x = torch.cholesky_solve(right, factor, upper)
        ga, gr = torch.autograd.grad(weighted(x), (a, right), retain_graph=True)
        print(torch.allclose(x, torch.linalg.solve(spd, right)), f"{ga.sum().item():.4f} {gr.sum().item():.4f}")

print(torch.linalg.solve_triangular(torch.zeros(0, 0), torch.zeros(0, 2), upper=True).shape)
eye = torch.eye(2)
for f in (
    lambda: torch.linalg.solve_triangular(eye, torch.ones(3, 1), upper=True),
    lambda: torch.linalg.solve_triangular(eye, torch.ones(1, 3), upper=True, left=False),
    lambda: torch.linalg.solve_triangular(eye, torch.ones(2), upper=True),
    lambda: torch.linalg.solve(eye, torch.ones(1, 3), left=False),
    lambda: torch.linalg.solve(eye, torch.ones(2), left=False),
    lambda: torch.cholesky_solve(torch.ones(2), eye),
    lambda: torch.cholesky_solve(torch.ones(3, 1), eye),
):
    try:
        print(f())
    except (RuntimeError, TypeError) as e:
        print(type(e).__name__, e)


# A Gaussian process that is refitted as data arrive.
def posterior(x, y, at, noise):
    k = torch.exp(-((x[:, None] - x[None]) ** 2)) + noise * torch.eye(len(x))
    factor = torch.linalg.cholesky(k)
    across = torch.exp(-((x[:, None] - at[None]) ** 2))
    mean = across.T @ torch.cholesky_solve(y[:, None], factor)
    half = torch.linalg.solve_triangular(factor, across, upper=False)
    return mean[:, 0], 1 - (half**2).sum(0)


at = torch.linspace(-1, 1.2, 3)
x = torch.linspace(-2, 2, 5)
for i in range(30):
    mean, var = posterior(x, torch.sin(x + 0.1 * i), at, 0.1)
    if i % 6 == 0:
        print(i, mean, var)

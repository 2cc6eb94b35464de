# How samples of gamma, beta, Dirichlet, Student's t and chi-squared distributions move with their parameters. PyTorch
# approximates the derivatives; what is compared is whether they are near the ones of the distribution functions.
import torch
import torch.distributions as D


def near(grad, exact, share=2e-2):
    return bool(((grad - exact).abs() <= share * exact.abs() + 1e-6).all())


def of_gamma(a, x):
    """-dF/da over dF/dx, by differences."""
    h = 1e-5
    moved = (torch.special.gammainc(a + h, x) - torch.special.gammainc(a - h, x)) / (2 * h)
    return -moved / torch.exp((a - 1) * torch.log(x) - x - torch.lgamma(a))


torch.manual_seed(0)
for start in (0.2, 0.9, 1.0, 3.5, 40.0):
    a = torch.full((6,), start, dtype=torch.float64, requires_grad=True)
    x = D.Gamma(a, torch.ones(6, dtype=torch.float64)).rsample()
    (g,) = torch.autograd.grad(x.sum(), a)
    print(start, [f"{v:.6f}" for v in x.tolist()], near(g, of_gamma(a.detach(), x.detach())))
a = torch.tensor([0.5, 2.0], requires_grad=True)
r = torch.tensor([1.0, 4.0], requires_grad=True)
x = D.Gamma(a, r).rsample((3,))
x.sum().backward()
print(x.shape, x.requires_grad, [f"{v:.5f}" for v in r.grad.tolist()])
# Of a beta distribution with one parameter 1 the sample is u**(1/a), and moves by -x*log(x)/a.
for start in (0.3, 1.0, 7.0):
    a = torch.tensor(start, dtype=torch.float64, requires_grad=True)
    x = D.Beta(a, torch.tensor(1.0, dtype=torch.float64)).rsample()
    (g,) = torch.autograd.grad(x, a)
    print(start, f"{x.item():.6f}", near(g, (-x * torch.log(x) / a).detach()))
for start in (0.3, 1.0, 7.0):
    b = torch.tensor(start, dtype=torch.float64, requires_grad=True)
    x = D.Beta(torch.tensor(1.0, dtype=torch.float64), b).rsample()
    (g,) = torch.autograd.grad(x, b)
    y = 1 - x
    print(start, f"{x.item():.6f}", near(g, (y * torch.log(y) / b).detach()))
c = torch.tensor([[0.4, 2.0, 5.0], [1.0, 1.0, 1.0]], requires_grad=True)
x = D.Dirichlet(c).rsample()
(x * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
print(x.tolist(), c.grad.shape, bool(torch.isfinite(c.grad).all()), round(float(x.sum()), 4))
d = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
D.Dirichlet(d).rsample().sum().backward()
print(bool((d.grad.abs() < 1e-4).all()))
for make in (D.Chi2, D.StudentT, lambda p: D.InverseGamma(p, torch.ones(3)), lambda p: D.FisherSnedecor(p, p + 1)):
    p = torch.tensor([1.5, 3.0, 8.0], requires_grad=True)
    x = make(p).rsample()
    x.sum().backward()
    print([f"{v:.4f}" for v in x.tolist()], bool(torch.isfinite(p.grad).all()), bool((p.grad != 0).all()))
# A policy that learns by its samples.
torch.manual_seed(1)
w = torch.zeros(2, requires_grad=True)
optimizer = torch.optim.Adam([w], lr=0.05)
for _ in range(60):
    q = D.Beta(torch.nn.functional.softplus(w[0]) + 1, torch.nn.functional.softplus(w[1]) + 1)
    loss = ((q.rsample((64,)) - 0.8) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
mean = (torch.nn.functional.softplus(w[0]) + 1) / (torch.nn.functional.softplus(w).sum() + 2)
print(bool((mean - 0.8).abs() < 0.12), bool(w[0] > w[1]))
print(torch._standard_gamma_grad(torch.tensor([1.0, 3.0]), torch.tensor([0.5, 2.0])).dtype)

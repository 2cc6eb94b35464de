"""More distributions: log-probabilities, entropies, and the samples that are drawn."""

import torch
from torch import distributions as D

torch.manual_seed(0)
torch.set_printoptions(precision=3)
rate = torch.tensor([0.5, 2.0], requires_grad=True)
for d, v in [
    (D.Exponential(rate), torch.tensor([0.3, 1.2])),
    (D.Laplace(torch.tensor([0.0, 1.0]), rate), torch.tensor([0.3, 1.2])),
    (D.Gamma(torch.tensor([1.5, 3.0]), rate), torch.tensor([0.3, 1.2])),
    (D.Beta(torch.tensor([1.5, 3.0]), rate), torch.tensor([0.3, 0.8])),
    (D.Independent(D.Normal(torch.zeros(2), rate), 1), torch.tensor([0.3, -1.2])),
    (D.MultivariateNormal(torch.zeros(2), torch.diag(rate) + 0.2), torch.tensor([0.3, -1.2])),
    (D.Dirichlet(rate), torch.tensor([0.3, 0.7])),
]:
    p = d.log_prob(v)
    print(type(d).__name__, d.batch_shape, d.event_shape, p.detach(), d.entropy().detach(), d.mean.detach(), d.variance.detach())
    print(torch.autograd.grad(p.sum(), rate, retain_graph=True)[0])
print(D.Exponential(rate).sample((2,)), D.Laplace(0.0, 1.0).sample((3,)), D.Exponential(1.0).rsample())
print(D.Independent(D.Normal(torch.zeros(3), torch.ones(3)), 1).rsample((2,)))
m = D.MultivariateNormal(torch.tensor([1.0, 2.0]), scale_tril=torch.tensor([[1.0, 0.0], [0.5, 2.0]]))
print(m.sample((2,)), m.covariance_matrix, m.rsample().shape, D.MultivariateNormal(torch.zeros(2), precision_matrix=torch.eye(2) * 2).variance)
c = D.OneHotCategorical(logits=torch.tensor([[0.1, 0.5, 2.0], [1.0, 0.0, 0.0]]))
s = c.sample((2,))
print(s, c.log_prob(s), c.entropy(), c.mode, D.OneHotCategorical(torch.tensor([0.2, 0.8])).event_shape)
print(D.Gamma(1.0, 2.0), D.Exponential(1.0), D.Laplace(torch.zeros(2), torch.ones(2)), D.Independent(D.Normal(torch.zeros(2), torch.ones(2)), 1), m)
print(D.Exponential(2.0).cdf(torch.tensor(0.5)), D.Laplace(0.0, 1.0).icdf(torch.tensor([0.2, 0.7])))
for f in [lambda: D.Exponential(-1.0), lambda: D.Independent(D.Normal(0.0, 1.0), 1), lambda: D.MultivariateNormal(torch.zeros(2))]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])

"""Samples by rejection, mixtures, transformed distributions; the schedule of averaged weights."""

import torch
import torch.distributions as D
from torch.optim.swa_utils import SWALR


def show(name, t):
    print(name, tuple(t.shape), [round(v, 4) for v in t.flatten().tolist()[:10]])


torch.manual_seed(3)
show("gamma", D.Gamma(torch.tensor([0.3, 1.0, 2.5, 30.0]), torch.tensor([1.0, 2.0, 0.5, 1.0])).sample((3,)))
show("gamma", D.Gamma(torch.tensor([0.7], dtype=torch.float64), torch.tensor([1.0], dtype=torch.float64)).sample((4,)))
show("beta", D.Beta(torch.tensor([0.5, 2.0]), torch.tensor([0.5, 3.0])).sample((3,)))
show("dirichlet", D.Dirichlet(torch.tensor([0.5, 2.0, 5.0])).sample((3,)))
show("poisson", D.Poisson(torch.tensor([0.0, 0.5, 4.0, 9.9, 10.0, 33.0, 250.0, 12345.0])).sample((4,)))
show("poisson", torch.poisson(torch.full((10,), 20.0)))
rate = torch.tensor([2.0], requires_grad=True)
D.Gamma(torch.tensor([3.0]), rate).rsample().sum().backward()
show("rate", rate.grad)

p = D.Poisson(4.0)
print(p, p.mean, p.variance, p.log_prob(torch.tensor([0.0, 3.0])))
g = D.Gumbel(torch.tensor([0.0, 1.0]), torch.tensor([1.0, 2.0]))
print(g, g.batch_shape, g.mean, g.stddev, g.entropy())
show("gumbel", g.sample((3,)))
show("gumbel", g.log_prob(torch.tensor([0.5, 0.5])))
show("gumbel", g.rsample((2,)))

mix = D.MixtureSameFamily(
    D.Categorical(torch.tensor([0.2, 0.5, 0.3])), D.Normal(torch.tensor([-1.0, 0.0, 4.0]), torch.tensor([0.5, 1.0, 2.0]))
)
print(mix.mean, mix.variance, mix.cdf(torch.tensor(0.5)))
show("mixture", mix.sample((5,)))
show("mixture", mix.log_prob(torch.tensor([0.0, 1.0])))
both = D.MixtureSameFamily(
    D.Categorical(torch.tensor([[0.2, 0.8], [0.6, 0.4]])),
    D.Independent(D.Normal(torch.arange(12.0).view(2, 2, 3), torch.ones(2, 2, 3)), 1),
)
print(both.batch_shape, both.event_shape)
show("mean", both.mean)
show("sample", both.sample((2,)))
show("log_prob", both.log_prob(torch.ones(2, 3)))

n = D.TransformedDistribution(
    D.Normal(torch.zeros(2), torch.ones(2)), [D.AffineTransform(loc=1.0, scale=torch.tensor([0.5, -2.0])), D.ExpTransform()]
)
show("log normal", n.sample((3,)))
show("log normal", n.log_prob(torch.tensor([0.5, 2.0])))
show("log normal", n.cdf(torch.tensor([0.5, 2.0])))
logistic = D.TransformedDistribution(D.Uniform(torch.zeros(2), torch.ones(2)), [D.SigmoidTransform().inv, D.AffineTransform(2.0, 3.0)])
show("logistic", logistic.sample((3,)))
show("logistic", logistic.log_prob(torch.tensor([0.5, 2.0])))
squashed = D.TransformedDistribution(D.Normal(torch.zeros(2), torch.ones(2)), D.TanhTransform())
action = squashed.rsample()
show("tanh", action)
show("tanh", squashed.log_prob(action))
ln = D.LogNormal(torch.tensor([0.0, 0.5]), torch.tensor([1.0, 0.25]))
show("LogNormal", torch.stack([ln.mean, ln.mode, ln.variance, ln.entropy(), ln.log_prob(torch.tensor([1.0, 2.0]))]))

for strategy, epochs in (("cos", 4), ("linear", 3), ("cos", 0)):
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.1)
    schedule = SWALR(optimizer, swa_lr=0.01, anneal_epochs=epochs, anneal_strategy=strategy)
    rates = []
    for _ in range(6):
        optimizer.step()
        schedule.step()
        rates.append(round(schedule.get_last_lr()[0], 6))
    print(strategy, rates)

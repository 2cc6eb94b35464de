import torch
from torch.distributions import Bernoulli, Categorical, Normal, kl_divergence

torch.manual_seed(0)
c = Categorical(torch.tensor([0.1, 0.2, 0.7]))
print(c.sample(), c.sample((5,)), c.log_prob(torch.tensor(2)), c.entropy(), c.probs, c)
c = Categorical(logits=torch.tensor([[1.0, 2.0], [0.0, 0.0]]))
a = c.sample()
print(a, c.log_prob(a), c.entropy(), c.logits)
n = Normal(torch.tensor([0.0, 1.0]), torch.tensor([1.0, 2.0]))
print(n.sample(), n.log_prob(torch.tensor([0.5, 0.5])), n.entropy(), n.mean, n.variance)
print(n.rsample((2,)), Normal(0.0, 1.0).cdf(torch.tensor(0.5)), kl_divergence(n, Normal(0.0, 1.0)))
b = Bernoulli(torch.tensor([0.3, 0.8]))
print(b.log_prob(torch.tensor([1.0, 0.0])), b.entropy(), b.mean)
probs = torch.tensor([0.5, 0.5], requires_grad=True)
loss = -Categorical(torch.softmax(probs, 0)).log_prob(torch.tensor(1)) * 2.0
loss.backward()
print(probs.grad)

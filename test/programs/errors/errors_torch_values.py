# Errors about values, with PyTorch's classes and texts: once, and where a graph computes the value.
import torch
import torch.distributions as d

nan = float("nan")


def message(f, *args):
    try:
        print(f(*args))
    except Exception as e:
        print(type(e).__name__, "|", e)


for f in (
    lambda: torch.arange(2).repeat_interleave(torch.tensor([2, -1])),
    lambda: torch.arange(2).repeat_interleave(-1),
    lambda: torch.arange(2).repeat_interleave(torch.tensor([2, 1, 1])),
    lambda: torch.arange(2).repeat_interleave(torch.tensor([2.0, 1])),
    lambda: torch.arange(2).repeat_interleave(torch.tensor(3)),
    lambda: torch.arange(0).repeat_interleave(torch.tensor([]).long()),
    lambda: torch.arange(4).split(0),
    lambda: torch.arange(0).split(0),
    lambda: torch.arange(4).split(-1),
    lambda: torch.arange(4).split([5, -1]),
    lambda: torch.arange(4).split([3, 2]),
    lambda: torch.normal(0.0, torch.tensor([2.0, -1.0])),
    lambda: torch.normal(torch.zeros(2), -1.0),
    lambda: torch.normal(0.0, -1.0, (2,)),
    lambda: torch.normal(0.0, torch.tensor([2.0, nan])),
    lambda: d.Categorical(torch.tensor([-1.0, 1.0])).log_prob(torch.tensor(1)),
    lambda: d.Categorical(logits=torch.tensor([nan, 1.0])),
    lambda: d.Bernoulli(torch.tensor(1.5)).entropy(),
    lambda: d.Bernoulli(1.5),
    lambda: d.Bernoulli(1.5, validate_args=False).probs,
    lambda: d.Bernoulli(logits=torch.tensor([nan])),
    lambda: d.Bernoulli(torch.tensor([0.5])).log_prob(torch.tensor([0.5])),
    lambda: d.Categorical(torch.ones(3)).log_prob(torch.tensor(3)),
    lambda: d.Categorical(torch.ones(3)).log_prob(2),
    lambda: d.Categorical(torch.ones(2, 3)).log_prob(torch.tensor([1, 2, 0])),
    lambda: d.Categorical(torch.ones(3)).log_prob(torch.tensor(1.5)),
    lambda: d.Normal(0.0, 1.0).log_prob(torch.tensor(nan)),
    lambda: d.Normal(nan, 1.0),
    lambda: d.Normal(0.0, -1.0),
    lambda: d.Normal(0.0, 1.0).log_prob(1.5),
    lambda: d.Laplace(0.0, 1.0).log_prob(torch.tensor([nan, 1.0])),
    lambda: d.Exponential(1.0).log_prob(torch.tensor(-1.0)),
    lambda: d.Exponential(1.0).cdf(torch.tensor(-1.0)),
    lambda: d.Gamma(1.0, 2.0).log_prob(torch.tensor(-1.0)),
    lambda: d.Uniform(1.0, 0.0),
    lambda: d.Uniform(0.0, 1.0).log_prob(torch.tensor(1.5)),
    lambda: d.Uniform(0.0, 1.0),
    lambda: torch.zeros(3).take(torch.tensor([0, 3])),
    lambda: torch.zeros(3).take(torch.tensor([0, -4])),
    lambda: torch.zeros(0).take(torch.tensor([0])),
    lambda: torch.zeros(3).index_fill(0, torch.tensor([3]), 1),
    lambda: torch.zeros(2, 3).index_fill(1, torch.tensor([-4]), 1),
    lambda: torch.zeros(2, 3).index_fill(1, torch.tensor([-1]), 1),
    lambda: torch.zeros(-1),
    lambda: torch.zeros(2, -1),
    lambda: torch.ones(-1),
    lambda: torch.eye(-1),
    lambda: torch.randperm(-1),
    lambda: torch.nn.functional.pad(torch.arange(4), (-5, 0)),
    lambda: torch.nn.functional.pad(torch.arange(4), (-5, 1)),
    lambda: torch.nn.functional.pad(torch.arange(4), (-4, 0)),
    lambda: torch.arange(0).argmax(),
    lambda: torch.arange(0).argmin(),
    lambda: torch.arange(0).max(),
    lambda: torch.arange(0).amax(),
):
    message(f)

# What was drawn before a probability that is none is drawn.
torch.manual_seed(0)
for p in ([0.5, 1.5, 0.5], [0.5] * 30 + [nan], [1.5]):
    message(torch.bernoulli, torch.tensor(p))
    print(torch.rand(2))


def choose(logits, action):
    return d.Categorical(logits=logits * 2).log_prob(action)


def score(mean, value):
    return d.Normal(mean + 0, 1.0).log_prob(value)


def noise(std):
    return torch.normal(torch.zeros(2), std * 1)


def copies(x, n):
    return (x + 1).repeat_interleave(n, dim=0)


def cut(x, n):
    return torch.nn.functional.pad(x + 1, (-n, 0))


def filled(x, i):
    return torch.index_fill(x + 1, 0, i, 5.0), torch.take(x, i)


torch.manual_seed(0)
for i in range(9):
    odd = i in (5, 7)
    message(choose, torch.tensor([1.0, nan if odd else 2.0]), torch.tensor(i % 2))
    message(choose, torch.tensor([1.0, 2.0]), torch.tensor(2 if odd else 1))
    message(score, torch.tensor([1.0, nan if odd else 2.0]), torch.tensor(0.5))
    message(score, torch.tensor([1.0, 2.0]), torch.tensor(nan if odd else 0.5))
    message(noise, torch.tensor([1.0, -1.0 if odd else 2.0]))
    message(copies, torch.arange(2.0), torch.tensor([i, -1 if odd else 1]))
    message(cut, torch.arange(4.0 + i % 3), 9 if odd else 2)
    message(filled, torch.arange(4.0), torch.tensor([1, 4 if odd else 2]))

"""Every distribution, transform, constraint and pair with a divergence, as a script may ask about it."""
import torch, warnings, itertools
warnings.simplefilter('ignore')
import torch.distributions as D
from torch.distributions import constraints as C, transforms as T
t = torch.tensor
def make():
    torch.manual_seed(3)
    A = torch.randn(3, 3); S = A @ A.T + 3 * torch.eye(3)
    P = torch.rand(4, 3) + 0.1
    return {
    'Bernoulli': [D.Bernoulli(t([0.3, 0.5, 0.9])), D.Bernoulli(logits=t([[0.3], [-1.0]])), D.Bernoulli(0.3)],
    'Beta': [D.Beta(t([0.5, 2.0]), t([1.5, 3.0])), D.Beta(2.0, 3.0)],
    'Binomial': [D.Binomial(10, t([0.0, 0.2, 0.9, 1.0])), D.Binomial(t([3.0, 40.0]), logits=t([0.5, -0.2])), D.Binomial(5, 0.5), D.Binomial(30, t([0.45, 0.6, 0.31]))],
    'Categorical': [D.Categorical(P), D.Categorical(logits=P)],
    'Cauchy': [D.Cauchy(t([0.0, 1.0]), t([1.0, 2.0])), D.Cauchy(0.0, 1.0)],
    'Chi2': [D.Chi2(t([1.0, 3.0])), D.Chi2(t(2.0))],
    'ContinuousBernoulli': [D.ContinuousBernoulli(t([0.1, 0.5, 0.8])), D.ContinuousBernoulli(logits=t([0.3, -2.0]))],
    'Dirichlet': [D.Dirichlet(t([0.5, 1.5, 3.0])), D.Dirichlet(P + 1)],
    'Exponential': [D.Exponential(t([0.5, 2.0])), D.Exponential(1.5)],
    'FisherSnedecor': [D.FisherSnedecor(t([1.0, 5.0]), t([3.0, 6.0]))],
    'Gamma': [D.Gamma(t([0.5, 2.0]), t([1.0, 3.0])), D.Gamma(2.0, 1.0)],
    'GeneralizedPareto': [D.GeneralizedPareto(t([0.0, 1.0]), t([1.0, 2.0]), t([0.0, 0.3])), D.GeneralizedPareto(0.0, 1.0, -0.4)],
    'Geometric': [D.Geometric(t([0.2, 0.9])), D.Geometric(logits=t([0.2, -0.9]))],
    'Gumbel': [D.Gumbel(t([0.0, 1.0]), t([1.0, 2.0])), D.Gumbel(0.0, 1.0)],
    'HalfCauchy': [D.HalfCauchy(t([1.0, 2.0])), D.HalfCauchy(1.0)],
    'HalfNormal': [D.HalfNormal(t([1.0, 2.0])), D.HalfNormal(1.0)],
    'Independent': [D.Independent(D.Normal(P, P + 1), 1), D.Independent(D.Bernoulli(P / 2), 2)],
    'InverseGamma': [D.InverseGamma(t([2.5, 1.0]), t([1.0, 2.0]))],
    'Kumaraswamy': [D.Kumaraswamy(t([2.0, 0.5]), t([3.0, 2.0]))],
    'Laplace': [D.Laplace(t([0.0, 1.0]), t([1.0, 2.0]))],
    'LKJCholesky': [D.LKJCholesky(3, 0.7), D.LKJCholesky(2, t([1.0, 2.0]))],
    'LogNormal': [D.LogNormal(t([0.0, 1.0]), t([1.0, 0.5]))],
    'LogisticNormal': [D.LogisticNormal(t([0.0, 1.0]), t([1.0, 0.5])), D.LogisticNormal(P, P)],
    'LowRankMultivariateNormal': [D.LowRankMultivariateNormal(t([0.0, 1.0, 2.0]), P[:3, :2], t([1.0, 2.0, 0.5])), D.LowRankMultivariateNormal(torch.zeros(2, 3), P[:3, :2], t([1.0, 2.0, 0.5]))],
    'MixtureSameFamily': [D.MixtureSameFamily(D.Categorical(t([0.3, 0.7])), D.Normal(t([0.0, 3.0]), t([1.0, 0.5]))), D.MixtureSameFamily(D.Categorical(torch.ones(2, 4)), D.Independent(D.Normal(torch.randn(2, 4, 3), torch.ones(2, 4, 3)), 1))],
    'Multinomial': [D.Multinomial(5, P), D.Multinomial(4, logits=P[0])],
    'MultivariateNormal': [D.MultivariateNormal(t([0.0, 1.0, 2.0]), S), D.MultivariateNormal(torch.zeros(2, 3), precision_matrix=S), D.MultivariateNormal(torch.zeros(3), scale_tril=torch.linalg.cholesky(S))],
    'NegativeBinomial': [D.NegativeBinomial(t([3.0, 5.0]), t([0.3, 0.6])), D.NegativeBinomial(4, logits=t([0.3, -0.6]))],
    'Normal': [D.Normal(t([0.0, 1.0]), t([1.0, 2.0])), D.Normal(0.0, 1.0), D.Normal(0, t([1.0, 2.0], dtype=torch.float64))],
    'OneHotCategorical': [D.OneHotCategorical(P), D.OneHotCategoricalStraightThrough(logits=P)],
    'Pareto': [D.Pareto(t([1.0, 2.0]), t([1.5, 3.0]))],
    'Poisson': [D.Poisson(t([0.5, 4.0, 30.0])), D.Poisson(3.0)],
    'RelaxedBernoulli': [D.RelaxedBernoulli(t([2.2]), t([0.1, 0.2, 0.3]))],
    'RelaxedOneHotCategorical': [D.RelaxedOneHotCategorical(t([2.2]), t([0.1, 0.2, 0.3, 0.4])), D.RelaxedOneHotCategorical(t(0.7), logits=P)],
    'StudentT': [D.StudentT(t([1.0, 2.0, 5.0])), D.StudentT(4.0, 1.0, 2.0)],
    'TransformedDistribution': [D.TransformedDistribution(D.Normal(t([0.0, 1.0]), t([1.0, 2.0])), [T.TanhTransform(cache_size=1), T.AffineTransform(1.0, 2.0)]), D.TransformedDistribution(D.Uniform(0.0, 1.0), [T.SigmoidTransform().inv, T.AffineTransform(t([1.0, 2.0]), t([1.0, 3.0]))])],
    'Uniform': [D.Uniform(t([0.0, -1.0]), t([1.0, 2.0])), D.Uniform(0.1, 0.9)],
    'VonMises': [D.VonMises(t([0.0, 1.0]), t([1.0, 4.0]))],
    'Weibull': [D.Weibull(t([1.0, 2.0]), t([1.5, 0.7]))],
    'Wishart': [D.Wishart(t(4.5), S)],
    }
def number(x):
    return '0' if abs(x) < 1e-6 else '%.3g' % x
def show(v):
    if isinstance(v, torch.Tensor):
        return f"{str(v.dtype)[6:]}{list(v.shape)} " + ' '.join(number(x) for x in v.detach().double().flatten().tolist()[:4])
    return repr(v)
def has(d, a):
    try: return hasattr(d, a)
    except NotImplementedError: return False
def att(label, f):
    try: r = show(f())
    except Exception as e: r = '! ' + type(e).__name__ + ': ' + str(e).split('\n')[0]
    print(label, r)
made = make()
for name, ds in made.items():
    for k, d in enumerate(ds):
        L = f'{name}{k}'
        print(L, d, d.batch_shape, d.event_shape, d.has_rsample, d.has_enumerate_support)
        for a in ('mean', 'mode', 'variance', 'stddev', 'support', 'arg_constraints', 'precision_matrix', 'covariance_matrix', 'scale_tril', 'probs', 'logits', 'total_count', 'df', 'loc', 'scale', 'temperature'):
            if a in ('mean', 'mode') or has(d, a):
                att(L + '.' + a, lambda: getattr(d, a))
        for a in ('entropy', 'perplexity', 'enumerate_support'): att(L + '.' + a, lambda: getattr(d, a)())
        torch.manual_seed(11)
        att(L + '.sample', lambda: d.sample()); att(L + '.sample23', lambda: d.sample((2, 3)))
        if d.has_rsample:
            torch.manual_seed(12); att(L + '.rsample', lambda: d.rsample((3,)))
        torch.manual_seed(13)
        try: x = d.sample((4,))
        except Exception as e: continue
        att(L + '.log_prob', lambda: d.log_prob(x))
        att(L + '.cdf', lambda: d.cdf(x))
        att(L + '.icdf', lambda: d.icdf(torch.linspace(0.1, 0.9, 4).reshape((4,) + (1,) * len(d.batch_shape))))
        att(L + '.log_prob bad', lambda: d.log_prob(x - 100.5))
        att(L + '.log_prob shape', lambda: d.log_prob(torch.zeros(7, 5, 6)))
        e = d.expand((2,) + d.batch_shape)
        att(L + '.expand', lambda: (e.batch_shape, e.event_shape)); att(L + '.expand.log_prob', lambda: e.log_prob(x[:2].unsqueeze(1) if False else x[0])); torch.manual_seed(5); att(L + '.expand.sample', lambda: e.sample())
alld = [(f'{n}{k}', d) for n, ds in made.items() for k, d in enumerate(ds)]
for (ln, p), (lm, q) in itertools.product(alld, alld):
    if ln[-1] == '0' and lm[-1] == '0' and 'Bernoulli1' not in lm:
        try: r = show(D.kl_divergence(p, q))
        except NotImplementedError: continue
        except Exception as e: continue
        print('KL', ln, lm, r)
for c in 'real positive nonnegative unit_interval simplex lower_cholesky positive_definite corr_cholesky real_vector boolean nonnegative_integer one_hot square symmetric lower_triangular positive_semidefinite'.split():
    c = getattr(C, c); print(c, c.is_discrete, c.event_dim)
    for reg in (D.biject_to, D.transform_to): att('  reg', lambda: reg(c))
for c in (C.greater_than(1.0), C.less_than(2), C.interval(-1, 3), C.half_open_interval(0, 1), C.integer_interval(0, 3), C.cat([C.positive, C.real]), C.stack([C.positive, C.real]), C.multinomial(3), C.independent(C.positive, 2), C.greater_than_eq(lower_bound=2)):
    print(c, c.is_discrete, c.event_dim)
    for reg in (D.biject_to, D.transform_to): att('  reg', lambda: reg(c))
torch.manual_seed(1)
for tr, x in [(T.ExpTransform(), torch.randn(3)), (T.PowerTransform(t(2.0)), torch.rand(3)), (T.SigmoidTransform(), torch.randn(3)), (T.TanhTransform(1), torch.randn(3)), (T.SoftplusTransform(), torch.randn(3)), (T.AbsTransform(), torch.randn(3)), (T.AffineTransform(1.0, 2.0, event_dim=1), torch.randn(2, 3)), (T.AffineTransform(t([1.0, 2.0, 3.0]), t([2.0, 1.0, 1.0])), torch.randn(2, 3)), (T.CorrCholeskyTransform(), torch.randn(2, 6)), (T.SoftmaxTransform(), torch.randn(2, 4)), (T.StickBreakingTransform(), torch.randn(2, 4)), (T.LowerCholeskyTransform(), torch.randn(3, 3)), (T.PositiveDefiniteTransform(), torch.randn(3, 3)), (T.CatTransform([T.ExpTransform(), T.TanhTransform()], 0, [1, 2]), torch.randn(3)), (T.StackTransform([T.ExpTransform(), T.TanhTransform()], 1), torch.randn(3, 2)), (T.ComposeTransform([T.ExpTransform(), T.AffineTransform(1.0, 2.0)]), torch.randn(3)), (T.IndependentTransform(T.ExpTransform(), 1), torch.randn(3, 2)), (T.ReshapeTransform((2, 3), (6,)), torch.randn(4, 2, 3)), (T.CumulativeDistributionTransform(D.Normal(0.0, 1.0)), torch.randn(3)), (T.identity_transform, torch.randn(2))]:
    print(tr, tr.bijective)
    for a in ('sign', 'event_dim', 'domain', 'codomain'): att('  ' + a, lambda: getattr(tr, a))
    y = tr(x); att('  y', lambda: y); att('  inv', lambda: tr.inv(y)); att('  ladj', lambda: tr.log_abs_det_jacobian(x, y)); att('  invladj', lambda: tr.inv.log_abs_det_jacobian(y, x)); att('  shapes', lambda: (tuple(tr.forward_shape(x.shape)), tuple(tr.inverse_shape(y.shape)), tr.inv, tr.inv.inv is tr, tr == tr.with_cache(0)))
for f in (lambda: D.Normal(0.0, -1.0), lambda: D.Normal(t([1.0, float('nan')]), 1.0), lambda: D.Categorical(t([-1.0, 2.0])), lambda: D.Uniform(1.0, 0.0), lambda: D.Bernoulli(2.0), lambda: D.Beta(-1.0, 1.0), lambda: D.Multinomial(t(3), t([1.0])), lambda: D.Gamma(1.0, 0.0), lambda: D.MultivariateNormal(torch.zeros(2), -torch.eye(2)), lambda: D.Normal('a', 1), lambda: D.Geometric(0.0), lambda: D.Distribution().mean, lambda: D.Distribution().mode, lambda: D.LKJCholesky(1), lambda: D.TransformedDistribution(D.Normal(0.0, 1.0), 3), lambda: D.Independent(D.Normal(0.0, 1.0), 1), lambda: D.Binomial(3, 0.5).expand((2,)).total_count):
    att('err', f)
x = torch.randn(3, requires_grad=True)
d = D.TransformedDistribution(D.Normal(x, 1.0), D.TanhTransform(cache_size=1)); torch.manual_seed(0); a = d.rsample(); d.log_prob(a).sum().backward(); att('grad', lambda: x.grad)

"""RandomState's distributions, with NumPy's draws for a seed, for numbers and for arrays of parameters; their errors."""
import numpy as np

rng = np.random.RandomState(3)
np.random.seed(5)
for name, arguments in (
    ("rayleigh", (2.0,)), ("weibull", (1.5,)), ("pareto", (3.0,)), ("power", (2.5,)), ("logistic", (1.0, 0.5)), ("triangular", (-1.0, 0.5, 2.0)),
    ("geometric", (0.5,)), ("geometric", (0.05,)), ("negative_binomial", (5, 0.4)), ("standard_t", (4,)), ("standard_cauchy", ()),
    ("f", (4, 7)), ("wald", (1.0, 2.0)), ("weibull", (0,)),
):
    print(name, [f"{v:.12g}" for v in getattr(rng, name)(*arguments, size=4)], f"{getattr(rng, name)(*arguments):.12g}")
    shared = getattr(np.random, name)(*arguments, size=(2, 3))
    print(shared.shape, shared.dtype, f"{float(shared.sum()):.10g}")
print([f"{v:.12g}" for v in rng.rayleigh([1.0, 10.0])], rng.geometric([0.1, 0.9], size=(3, 2)).tolist())
for wrong in (
    lambda: rng.pareto(0), lambda: rng.triangular(0, 2, 1), lambda: rng.triangular(1, 1, 1), lambda: rng.geometric(0), lambda: rng.rayleigh(-1),
    lambda: rng.f(1, 0), lambda: rng.standard_t(0),
):
    try:
        print(wrong())
    except ValueError as error:
        print("ValueError", error)
total = 0.0
for i in range(30):
    total += rng.logistic(i, 1.0) + rng.weibull(2.0)
print(f"{total:.10g}")

"""Functions of torch.special, gammas, windows of signals, masked reductions, copies of views, histograms."""
import torch


def show(name, value):
    if isinstance(value, (tuple, list)):
        for k, part in enumerate(value):
            show(f"{name}[{k}]", part)
        return
    flat = [round(v, 4) if isinstance(v, float) else v for v in value.reshape(-1).tolist()]
    print(name, value.dtype, tuple(value.shape), flat)


def attempt(name, function):
    try:
        show(name, function())
    except (RuntimeError, ValueError, IndexError, NotImplementedError) as error:
        print(name, type(error).__name__, str(error).split("\n")[0])


s = torch.special
x = torch.tensor([-3.5, -1.0, 0.0, 0.3, 1.0, 4.0, float("nan")], dtype=torch.float64)
for name in ("i0", "i0e", "i1", "i1e", "bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "modified_bessel_k0",
             "scaled_modified_bessel_k1", "spherical_bessel_j0", "airy_ai", "erfcx", "ndtr", "log_ndtr"):
    attempt(name, lambda: getattr(s, name)(x))
    attempt(name, lambda: getattr(s, name)(torch.tensor([1, 2])))
attempt("ndtri", lambda: s.ndtri(torch.tensor([0.0, 0.01, 0.5, 0.9, 1.0, 2.0], dtype=torch.float64)))
a = torch.tensor([[0.5], [3.0], [40.0], [0.0]], dtype=torch.float64)
b = torch.tensor([0.0, 0.1, 2.0, 45.0, float("inf")], dtype=torch.float64)
attempt("igamma", lambda: torch.igamma(a, b))
attempt("igammac", lambda: a.igammac(b))
attempt("zeta", lambda: s.zeta(torch.tensor([1.0, 2.0, 3.5]), torch.tensor([0.5, 1.0, 7.0])))
for n in range(3):
    attempt("polygamma", lambda: torch.polygamma(n, x[3:6]))
attempt("polygamma", lambda: torch.polygamma(-1, x))
attempt("mvlgamma", lambda: torch.tensor([3.0, 5.5]).mvlgamma(3))
attempt("nextafter", lambda: torch.nextafter(torch.tensor([0.0, 1.0]), torch.tensor([1.0, 2.0])).view(torch.int32))
attempt("frexp", lambda: torch.frexp(torch.tensor([0.0, 1.0, -3.0, 1e-40])))
print(torch.frexp(torch.tensor([6.0])))
degrees = torch.tensor([[-1], [0], [1], [3], [9]])
points = torch.tensor([-1.0, -0.7, 0.3, 1.0, 2.0], dtype=torch.float64)
for kind in "tuvw":
    attempt(kind, lambda: getattr(s, f"chebyshev_polynomial_{kind}")(points, degrees))
attempt("shifted", lambda: s.shifted_chebyshev_polynomial_t(points, degrees))
for name in ("hermite_polynomial_h", "hermite_polynomial_he", "laguerre_polynomial_l", "legendre_polynomial_p"):
    attempt(name, lambda: getattr(s, name)(points, degrees))

for name in torch.signal.windows.__all__:
    if name in ("general_cosine", "general_hamming"):
        continue
    window = getattr(torch.signal.windows, name)
    for m in (0, 1, 6):
        attempt(name, lambda: window(m))
        attempt(name, lambda: window(m, sym=False))
    attempt(name, lambda: window(-1))
    attempt(name, lambda: window(3, dtype=torch.int64))

v = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
m = torch.tensor([[True, False, True], [False, False, False]])
for name in ("sum", "prod", "mean", "amax", "amin", "argmax", "argmin", "std", "var", "softmax", "logsumexp", "cumsum"):
    attempt(name, lambda: getattr(torch.masked, name)(v, 1, mask=m))
    attempt(name, lambda: getattr(torch.masked, name)(v, 0))
attempt("mean of ints", lambda: torch.masked.mean(v.long(), 1))

attempt("nanmedian", lambda: torch.nanmedian(torch.tensor([[1.0, float("nan"), 3.0], [4.0, 2.0, 9.0]]), 1))
attempt("renorm", lambda: v.renorm(2, 0, 3.0))
attempt("renorm", lambda: v.renorm(-2, 0, 3.0))
attempt("gradient", lambda: torch.gradient(v))
attempt("histogram", lambda: torch.histogram(torch.tensor([1.0, 2.0, 1.0]), bins=4, range=(0.0, 3.0)))
attempt("histogram", lambda: torch.histogram(torch.tensor([1, 2]), 3))
attempt("index_reduce", lambda: v.index_reduce(1, torch.tensor([0, 2, 0]), v + 1, "prod"))
attempt("index_reduce", lambda: v.index_reduce(0, torch.tensor([0, 0]), v, "sum"))
for name, args in (("permute_copy", ((1, 0),)), ("unbind_copy", ()), ("diagonal_copy", ()), ("unfold_copy", (1, 2, 1)),
                   ("split_with_sizes_copy", ([1, 1],)), ("as_strided_scatter", (torch.zeros(2, 2), (2, 2), (1, 2)))):
    attempt(name, lambda: getattr(torch, name)(v, *args))
print(torch.empty_strided((2, 3), (1, 2)).stride(), torch.empty_permuted((2, 3, 4), (0, 2, 1)).stride())
t = torch.arange(6.0)
print(t.resize_(2, 2), t.resize_as_(torch.zeros(3)).shape, v.sum_to_size(1, 3))

for name in ("i0", "i0e", "i1", "i1e", "erfcx", "log_ndtr"):
    y = torch.tensor([0.3, -1.2, 4.0], dtype=torch.float64, requires_grad=True)
    attempt(name, lambda: torch.autograd.grad(getattr(s, name)(y).sum(), y))
y = torch.tensor([0.3, 1.2, 4.0], dtype=torch.float64, requires_grad=True)
attempt("igamma", lambda: torch.autograd.grad(torch.igamma(torch.tensor(2.0, dtype=torch.float64), y).sum(), y))
attempt("igamma", lambda: torch.autograd.grad(torch.igamma(y, torch.tensor(2.0, dtype=torch.float64)).sum(), y))

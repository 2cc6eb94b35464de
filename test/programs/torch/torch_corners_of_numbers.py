# Values at their corners: floats out of an int's range, signs of zeros, lost writes, norms of zeros, dtypes of sums.
import torch

inf, nan = float("inf"), float("nan")


def attempt(name, function):
    try:
        print(name, function())
    except Exception as error:
        print(name, type(error).__name__, str(error).split("\n")[0])


# Floats as ints.
values = [inf, -inf, nan, 1e10, 3e9, -3e9, 300.0, -300.7, 1e20, 2147483648.0, -2147483648.0, 9.3e18, 70000.9, -1.5]
for source in (torch.float32, torch.float64):
    x = torch.tensor(values, dtype=source)
    for dtype in (torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8):
        for _ in range(25):
            out = x.to(dtype)
        print(source, dtype, out.tolist())
x = torch.tensor([inf, 1.0, 2.5])
for dtype in (torch.int32, torch.int16, torch.uint8):
    print(x.sum(dtype=dtype), x.prod(dtype=dtype), x.cumsum(0, dtype=dtype), x.cumprod(0, dtype=dtype))

# Signs of zeros.
z = torch.tensor([-0.0, 0.0, -inf, 2.0])
for name in ("atan", "asin", "asinh", "sin", "tan", "tanh", "sinh", "expm1", "log1p", "erf"):
    print(name, getattr(torch, name)(z), getattr(torch, name)(z.double()))


# What is written over at once has the gradient of its place.
def written(function, shape):
    value = torch.arange(1.0, 1.0 + shape[0]).requires_grad_()
    base = torch.zeros(4, requires_grad=True)
    out = function(base, value)
    (out * torch.tensor([1.0, 2.0, 3.0, 4.0])).sum().backward()
    return out.detach().tolist(), base.grad.tolist(), value.grad.tolist()


index = torch.tensor([2, 0, 0, 1])


def assigned(base, value):
    out = base * 1
    out[index] = value
    return out


for name, function in {
    "index_copy": lambda b, v: b.index_copy(0, index, v),
    "index_put": lambda b, v: b.index_put((index,), v),
    "scatter": lambda b, v: b.scatter(0, index, v),
    "put": lambda b, v: b.put(index, v),
    "assigned": assigned,
}.items():
    for _ in range(25):
        out = written(function, (4,))
    print(name, *out)
value = torch.tensor(5.0, requires_grad=True)
out = torch.zeros(4).index_fill(0, torch.tensor([1, 3]), value)
out.pow(2).sum().backward()
print(out, value.grad)
q = torch.tensor(0.3, requires_grad=True)
torch.tensor([1.0, 5.0, 2.0, 9.0]).quantile(q).backward()
print(q.grad)

# Norms.
for p in (0.5, -2.0, 1.5, 3.0, 2.0, 1.0, inf, -inf):
    for data in ([0.0, -1.0, 2.0], [0.0, 0.0]):
        x = torch.tensor(data, requires_grad=True)
        x.norm(p).backward()
        print(p, round(x.norm(p).item(), 5), [round(v, 5) for v in x.grad.tolist()])

# Determinants.
for m in ([[2.0, 1.0], [1.0, 3.0]], [[0.0, 1.0], [1.0, 0.0]], [[1.0, 2.0], [2.0, 4.0]]):
    a = torch.tensor(m, dtype=torch.float64, requires_grad=True)
    print(torch.slogdet(a.detach()), torch.logdet(a.detach()))
    if m[1][1] != 4.0:
        torch.logdet(a).backward()
        print(a.grad)

# Dtypes and shapes.
ints = torch.tensor([[4, 2147483646, 3], [1, 2, 7]], dtype=torch.int32)
points = torch.tensor([1, 2, 4])
print(torch.trapezoid(ints), torch.trapezoid(ints, points), torch.trapezoid(ints, dx=0.5, dim=0))
print(torch.cumulative_trapezoid(ints), torch.cumulative_trapezoid(ints, points))
floats = torch.tensor([[1.0, 2.0], [3.0, 5.0]])
print(torch.trapezoid(floats), torch.trapezoid(floats, torch.tensor([0.0, 0.5], dtype=torch.float64)))
attempt("bools", lambda: torch.trapezoid(floats > 2))
attempt("0-d", lambda: torch.cumulative_trapezoid(torch.tensor(4), dim=0))
print(torch.tensor([1, 0]).all(()), torch.tensor([[1, 0]]).any(dim=()))
torch.manual_seed(0)
wide = torch.zeros(2, dtype=torch.float64)
mean = torch.tensor([0.5, 1.5], dtype=torch.float64)
print(torch.normal(mean, 2.0).dtype, torch.normal(2.0, mean).dtype, torch.normal(mean, mean.float()).dtype)
print([round(v, 9) for v in torch.randn(2, out=wide).tolist()], [round(v, 9) for v in torch.rand(2, out=wide).tolist()])
attempt("ints", lambda: torch.normal(torch.tensor([1, 2])))

"""Results that go to tensors of other dtypes: some are computed in them, some converted, some refused."""

import torch

x = torch.tensor([[1.0, 2.25, 3.0], [4.0, 5.5, 6.0]])
n = torch.tensor([[1, 2, 3], [4, 5, 6]])
v = torch.tensor([1.0, 2.0, 3.0])
b = torch.ones(2, 2, 3)
first, rows = torch.tensor([[0, 1, 0]]), torch.tensor([0, 1])
COMPUTED = {
    "sum": lambda out: torch.sum(x, 1, out=out), "sum of ints": lambda out: torch.sum(n, 1, out=out),
    "prod": lambda out: torch.prod(x, 1, out=out), "mean": lambda out: torch.mean(x, 1, out=out),
    "cumsum": lambda out: torch.cumsum(x, 1, out=out), "cumprod": lambda out: torch.cumprod(x, 1, out=out),
    "nansum": lambda out: torch.nansum(x, 1, out=out), "ones": lambda out: torch.ones(2, out=out),
    "full": lambda out: torch.full((2,), 1.5, out=out), "eye": lambda out: torch.eye(2, out=out),
    "linspace": lambda out: torch.linspace(0, 4, 5, out=out), "logspace": lambda out: torch.logspace(0, 1, 2, out=out),
    "arange": lambda out: torch.arange(4, out=out), "empty": lambda out: torch.empty(0, out=out),
    "sum in": lambda out: torch.sum(n, 0, dtype=torch.float32, out=out),
    "ones in": lambda out: torch.ones(2, dtype=torch.float32, out=out),
}
CONVERTED = {
    "add": lambda out: torch.add(x, x, out=out), "maximum": lambda out: torch.maximum(x, x, out=out),
    "gcd": lambda out: torch.gcd(n, n, out=out), "lerp": lambda out: torch.lerp(x, x, 0.5, out=out),
    "outer": lambda out: torch.outer(v, v, out=out), "hstack": lambda out: torch.hstack([x, x], out=out),
    "vstack": lambda out: torch.vstack([x, x], out=out), "stack": lambda out: torch.stack([x, x], out=out),
    "diff": lambda out: torch.diff(x, out=out), "var": lambda out: torch.var(v, 0, out=out),
}
REFUSED = {
    "gather": lambda out: torch.gather(x, 0, first, out=out), "take": lambda out: torch.take(x, rows, out=out),
    "index_select": lambda out: torch.index_select(x, 0, rows, out=out), "bmm": lambda out: torch.bmm(b, b.mT, out=out),
    "dot": lambda out: torch.dot(v, v, out=out), "addmv": lambda out: torch.addmv(torch.zeros(2), x, v, out=out),
    "masked_select": lambda out: torch.masked_select(x, x > 2, out=out), "renorm": lambda out: torch.renorm(x, 2, 0, 9.0, out=out),
    "scatter_add": lambda out: torch.scatter_add(x, 0, first, x, out=out), "msort": lambda out: torch.msort(x, out=out),
    "softmax": lambda out: torch.softmax(x, 1, out=out), "norm": lambda out: torch.norm(x, dim=1, out=out),
    "argmax": lambda out: torch.argmax(x, 1, out=out), "nonzero": lambda out: torch.nonzero(x, out=out),
    "diag": lambda out: torch.diag(v, out=out), "isin": lambda out: torch.isin(x, v, out=out),
    "searchsorted": lambda out: torch.searchsorted(v, x, out=out), "heaviside": lambda out: torch.heaviside(x, x, out=out),
    "fft": lambda out: torch.fft.fft(v, out=out), "complex": lambda out: torch.complex(v, v, out=out),
    "lerp by": lambda out: torch.lerp(x, x, x, out=out), "amax": lambda out: torch.amax(x, 1, out=out),
}


def show(name, make):
    try:
        found = make()
    except (RuntimeError, TypeError, IndexError, ValueError) as error:
        print(name, type(error).__name__, str(error).split("\n")[0])
    else:
        print(name, found.dtype, tuple(found.shape), found)


for table in (COMPUTED, CONVERTED, REFUSED):
    for name, function in table.items():
        for dtype in (torch.float32, torch.float64, torch.float16, torch.int64, torch.complex64, torch.bool):
            show(f"{name} {dtype}", lambda: function(torch.empty(0, dtype=dtype)))
for name in ("kthvalue", "cummax", "mode", "sort", "topk"):
    given = (x, 1, 1) if name in ("kthvalue",) else (x, 1)
    outs = torch.empty(0, dtype=torch.float64), torch.empty(0, dtype=torch.int64)
    show(name, lambda: getattr(torch, name)(*given, out=outs)[0])


class Own(list):
    def __iter__(self):
        return iter([9.0, 8.0])


class Pair(tuple):
    def __iter__(self):
        return iter([9.0, 8.0])


class Sevens(list):
    def __getitem__(self, i):
        return 7.0


class Sequence:
    def __init__(self, *items):
        self.items = items

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


for kind in (Own, Pair, Sevens):
    show(kind.__name__, lambda: torch.tensor(kind([1.0, 2.0])))
    show(kind.__name__, lambda: torch.tensor([kind([1.0, 2.0]), kind([3.0, 4.0])]))
    show(kind.__name__, lambda: torch.as_tensor(kind([1, 2])))
    show(kind.__name__, lambda: torch.tensor(kind([True, False])))
    show(kind.__name__, lambda: torch.tensor(data=kind([1, 2]), dtype=torch.int32))
    show(kind.__name__, lambda: torch.zeros(2).new_tensor(kind([1, 2])))
show("Sequence", lambda: torch.tensor(Sequence(1, 2)))
show("Sequence", lambda: torch.tensor([Sequence(1, 2), Sequence(3, 4.5)]))

z, at, place = torch.tensor(2.5), torch.tensor(0), torch.tensor([0])
for d in (0, -1, 1):
    for name, function in {
        "roll": lambda: z.roll(1, d), "unbind": lambda: z.unbind(d)[0], "unique": lambda: z.unique(dim=d),
        "unique_consecutive": lambda: z.unique_consecutive(dim=d), "trapezoid": lambda: torch.trapezoid(z, dim=d),
        "take_along_dim": lambda: z.take_along_dim(at, d), "cross": lambda: torch.linalg.cross(z, z, dim=d),
        "flatten": lambda: z.flatten(d), "quantile": lambda: z.quantile(0.5, d), "cummax": lambda: z.cummax(d)[0],
        "repeat_interleave": lambda: z.repeat_interleave(2, d), "nanmedian": lambda: z.nanmedian(d)[0],
        "index_add": lambda: z.index_add(d, place, torch.ones(1)), "glu": lambda: torch.nn.functional.glu(z, d),
        "size": lambda: torch.tensor(z.size(d)), "sort": lambda: z.sort(d)[0], "softmax": lambda: z.softmax(d),
    }.items():
        show(f"{name} {d}", function)

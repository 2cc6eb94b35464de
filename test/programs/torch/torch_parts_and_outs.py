# Results into several out=, lists as subscripts of einsum, memory as another dtype or with other strides, other diagonals,
# draws from three more distributions, rows of an embedding that are kept short.
import torch
import torch.nn as nn
import torch.nn.functional as F


def attempt(name, function):
    try:
        print(name, function())
    except Exception as error:
        print(name, type(error).__name__, str(error).split("\n")[0])


x = torch.tensor([[3.0, 1.0, 2.0], [5.0, 4.0, 6.0]])
values, indices = torch.empty(0), torch.empty(0, dtype=torch.long)
for name, function in {
    "max": lambda out: torch.max(x, 1, out=out),
    "min": lambda out: torch.min(x, 0, out=out),
    "sort": lambda out: torch.sort(x, out=out),
    "topk": lambda out: torch.topk(x, 2, out=out),
    "median": lambda out: torch.median(x, 1, out=out),
    "kthvalue": lambda out: torch.kthvalue(x, 2, out=out),
    "mode": lambda out: torch.mode(x, out=out),
    "cummax": lambda out: torch.cummax(x, 1, out=out),
}.items():
    values, indices = torch.empty(0), torch.empty(0, dtype=torch.long)
    for _ in range(20):
        out = function((values, indices))
    print(name, out[0] is values, out[1] is indices, type(out).__name__, values.tolist(), indices.tolist())
attempt("dtype", lambda: torch.max(x, 1, out=(values, values)))
attempt("aminmax", lambda: torch.aminmax(x, out=(torch.empty(0), torch.empty(0))))
attempt("other", lambda: torch.max(x, x.flip(1), out=torch.empty(0)))

for _ in range(20):
    out = torch.einsum(x, [0, 1], x, [0, 2], [1, 2])
print(out)
attempt("einsum", lambda: torch.einsum(x, [0, 1]))
attempt("einsum", lambda: torch.einsum(x, [..., 0], [0, ...]))
attempt("einsum", lambda: torch.einsum(x, [0, 1], x, [0, 1]))
attempt("einsum", lambda: torch.einsum(x, [60]))
attempt("einsum", lambda: torch.einsum("ii", x))

a = torch.arange(6.0).reshape(2, 3)
attempt("view", lambda: (a.view(torch.int32), a.view(torch.uint8).shape, a.view(dtype=torch.int32).dtype))
attempt("view", lambda: a.view(torch.float64))
attempt("view", lambda: torch.arange(4.0).view(torch.float64))
attempt("view", lambda: (a.t().view(torch.int32), a[:, 1:].view(torch.uint8).stride()))
attempt("view", lambda: a.t().view(torch.uint8))
attempt("view", lambda: torch.tensor(1.0).view(torch.uint8))
bits = a.clone()
bits.view(torch.int32)[0, 0] = 1065353216
print(bits, bits.requires_grad_().view(torch.int32).requires_grad)
attempt("as_strided", lambda: (a.as_strided((2, 2), (1, 2)), a.as_strided((2, 2), (1, 2), 1), torch.as_strided(a, (3,), (2,))))
attempt("as_strided", lambda: a.as_strided((9,), (1,)))
attempt("as_strided", lambda: a.as_strided((2, 2), (-1, 2)))
attempt("as_strided", lambda: a.as_strided((2,), (1, 1)))


def windows(t):
    return (t.as_strided((5, 2), (1, 1)) * 2).sum(1)


for i in range(20):
    out = windows(a + i)
print(out)
for args in ((), (1,), (-1,), (0, 1, 0)):
    source = torch.full_like(a.diagonal(*args), 9)
    for _ in range(20):
        out = torch.diagonal_scatter(a, source, *args)
    print(out)
attempt("diagonal", lambda: torch.diagonal_scatter(a, torch.ones(1)))
leaf, source = a.clone().requires_grad_(), torch.ones(2, requires_grad=True)
(leaf.diagonal_scatter(source, 1) * a).sum().backward()
print(leaf.grad, source.grad)

for dtype in (torch.float32, torch.float64):
    for n in (3, 20):
        torch.manual_seed(n)
        t = torch.empty(n, dtype=dtype)
        print(t.geometric_(0.3).tolist()[:3], [round(v, 4) for v in t.log_normal_(0.5, 2.0).tolist()[:3]],
              [round(v, 4) for v in t.cauchy_(0.5, 2.0).tolist()[:3]])
attempt("ints", lambda: torch.manual_seed(0) and torch.empty(5, dtype=torch.int64).geometric_(0.3))
attempt("p", lambda: torch.empty(5).geometric_(1.5))
attempt("sigma", lambda: torch.empty(5).cauchy_(0, -1))
attempt("std", lambda: torch.empty(5).log_normal_(0, 0))
attempt("ints", lambda: torch.empty(5, dtype=torch.int64).cauchy_())

torch.manual_seed(1)
embedding = nn.Embedding(5, 3, max_norm=1.0, norm_type=1.5)
print(embedding)
optimizer = torch.optim.SGD(embedding.parameters(), lr=0.5)
for step in range(25):
    optimizer.zero_grad()
    loss = (embedding(torch.tensor([0, 2, 2, step % 5])) - 1).pow(2).sum()
    loss.backward()
    optimizer.step()
    if step % 6 == 0:
        print(step, f"{loss.item():.4f}", [round(v, 3) for v in embedding.weight.norm(1.5, dim=1).tolist()])
weight = torch.tensor([[3.0, 4.0], [0.3, 0.4], [6.0, 8.0]])
print(F.embedding(torch.tensor([0, 1]), weight, max_norm=1.0), weight)

"""What PyTorch refuses, where the operations that a function is made of would go on: one line a call."""
import warnings

import torch
import torch.nn.functional as F

warnings.simplefilter("ignore")
i8 = torch.ones(3, 3, dtype=torch.int8)
s, v = torch.ones(3, 3), torch.ones(3)
bools, ints = torch.ones(2).bool(), torch.ones(2).long()


def show(*calls):
    for f in calls:
        try:
            r = f()
            print("ok", (tuple(r.shape), r.dtype, r.tolist()) if isinstance(r, torch.Tensor) else r)
        except Exception as e:
            print(type(e).__name__, str(e).split("\n")[0])


for equation in (
    "i1->i", "ij->i1", "i j1->i", "ij->ii", "i.j->i", "...i..->i", "i...j...->i", "ij->...i.", "ij->......", "ijk...->i", "ijk->i",
    "i->i", "ij,j->i", ",->", "", "ij->k", "ij-i", "ij>i", "ij->i->j", "ij->i,j", "i.->i", "ij->.", "...->", "ij->i...", "Ii->i", "ij->é",
):
    show(lambda: torch.einsum(equation, s))
for equation in ("ij->", "ij->i", "ij->ji", "ii->i", "ii"):
    show(lambda: torch.einsum(equation, i8))
for equation in ("ij,ij->", "ij,jk->ik", "ij,kl->", "ij,kl->k", "ij,ij->ij", "ij,jk->k", "ij,j...->"):
    show(lambda: torch.einsum(equation, i8, i8))
show(
    lambda: torch.einsum("ij,jk->", s, s.double()), lambda: torch.einsum("ij,jk->ik", s, i8),
    lambda: torch.einsum("i,j->ij", torch.tensor([True, False]), torch.tensor([True, True])),
)
for n, p in ((2, (1, 1, 1, 1)), (4, (1, 1)), (5, (1, 1, 1, 1)), (1, (1, 1)), (4, (1,) * 8), (3, (1,) * 6), (3, (1, -1)), (3, (-1, 1))):
    for mode in ("reflect", "circular", "replicate"):
        show(lambda: F.pad(torch.arange(3.0**n).reshape((3,) * n), p, mode))
show(lambda: F.pad(s, (1, 1), "reflect", 1.0), lambda: F.pad(s, (4, 1), "circular"), lambda: F.pad(s, (1, 1), "foo"))
show(
    lambda: s.scatter_add(0, torch.zeros(2, 4).long(), torch.ones(2, 4)), lambda: s.scatter(0, torch.zeros(2, 4).long(), 1.0),
    lambda: s.scatter(0, torch.zeros(2, 3).long(), torch.ones(1, 3)), lambda: torch.meshgrid(v, v.double()),
    lambda: F.cosine_similarity(s, s, eps=-1), lambda: torch.ones(2).nansum(dtype=torch.int32), lambda: ints.nansum(),
    lambda: ints.round(), lambda: torch.special.round(ints), lambda: torch.ldexp(v[:2], bools), lambda: bools.clamp(True), lambda: bools.clamp(0),
    lambda: torch.linalg.multi_dot([s]), lambda: torch.linalg.vecdot(v, v.double()),
    lambda: torch.linalg.solve_triangular(torch.eye(2), torch.eye(2), upper=True, out=torch.eye(2).double()),
)
show(
    lambda: F.nll_loss(torch.ones(2, 3).long(), ints), lambda: F.nll_loss(torch.ones(2, 3, 2).long(), torch.ones(2, 2).long()),
    lambda: F.cross_entropy(torch.ones(2, 3), ints, label_smoothing=1.5), lambda: F.mse_loss(v, v, reduction=None),
    lambda: F.huber_loss(v, v, reduction=None), lambda: F.embedding(torch.tensor([0]), s, padding_idx=5),
    lambda: F.embedding_bag(torch.tensor([[-1]]), s), lambda: F.prelu(v, v), lambda: F.prelu(torch.ones(2, 3), torch.ones(2)),
    lambda: F.prelu(torch.ones(()), torch.ones(2)), lambda: F.rrelu(ints, training=True), lambda: F.alpha_dropout(ints, training=True),
    lambda: F.avg_pool2d(s[None], []), lambda: F.max_pool2d(s[None], []), lambda: F.avg_pool1d(s[None], []), lambda: F.unfold(s[None, None], []),
    lambda: F.hinge_embedding_loss(ints, torch.ones(2)), lambda: v.masked_fill(v > 0, torch.ones(1)),
)
nan = float("nan")
show(
    lambda: torch.ones(2).normal_(0, nan), lambda: torch.ones(2).uniform_(0, nan), lambda: torch.ones(2).exponential_(nan),
    lambda: i8.clone().fill_diagonal_(nan), lambda: i8.clone().fill_diagonal_(300), lambda: torch.ones(2).cumprod_(0, dtype=torch.float64),
    lambda: torch.ones(2).long().cumsum_(0, dtype=torch.int32), lambda: torch.ones(2).int().cumsum_(0),
    lambda: torch.addr(i8, i8[0], i8[0], alpha=0.5), lambda: torch.addr(i8, i8[0], i8[0], alpha=True), lambda: torch.addr(i8, i8[0], i8[0], beta=0.5),
    lambda: torch.randperm(3, dtype=torch.bool), lambda: torch.tril_indices(2, 2, dtype=torch.float32), lambda: torch.full(2, 1),
    lambda: torch.ones(()).stride(-1), lambda: torch.mv(torch.eye(2), torch.ones(2), out=torch.ones(2).double()),
    lambda: torch.linalg.matrix_power(torch.eye(2), 2, out=torch.eye(2).double()), lambda: torch.clamp(v, 0, out=v.double()),
    lambda: torch.tensor(["a"]), lambda: torch.tensor([["a"]]), lambda: torch.tensor("a"), lambda: torch.tensor([1, "a"]),
    lambda: torch.split(tensor=v, split_size_or_sections=2)[1], lambda: v.clone().copy_(other=v),
)
x = torch.ones(2, requires_grad=True)
show(
    lambda: setattr(x, "data", ints), lambda: setattr(torch.ones(2), "data", ints), lambda: torch.nn.RNNCell(3, 4)(torch.ones(2, 2)),
    lambda: torch.nn.ConvTranspose2d(4, 2, 3, stride=2, padding=1)(torch.ones(2, 4, 7, 8), output_size=(20, 20)),
    lambda: torch.nn.GRUCell(3, 4)(torch.ones(2, 3), torch.ones(3, 4)), lambda: torch.nn.GRUCell(3, 4)(torch.ones(2, 3), torch.ones(2, 5)),
    lambda: torch.nn.LSTMCell(3, 4)(torch.ones(2, 3), (torch.ones(2, 5), torch.ones(2, 4))), lambda: torch.nn.LSTMCell(3, 4)(torch.ones(2, 2, 3)),
    lambda: torch.nn.LSTM(3, 4)(torch.ones(3)), lambda: torch.nn.RNN(3, 4)(torch.ones(3)),
    lambda: torch.optim.lr_scheduler.OneCycleLR(torch.optim.SGD([x], lr=0.1), 1.0, 5, pct_start=2),
)


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        ctx.save_for_backward(a)
        return a * a, a.argmax()

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g, h):
        print("backward", g.tolist(), h)
        return g * 2 * ctx.saved_tensors[0]


y, at = Twice.apply(x)
(g,) = torch.autograd.grad(y.sum() * x.sum(), x, create_graph=True)
show(lambda: g.sum().backward())

# The number of writes is told to who asks for it, however hot the writes are.
def written(t, n):
    for k in range(n):
        t.add_(k)
    t[0] = 1
    return t


t = torch.zeros(3)
for k in range(12):
    written(t, 3)
print(t._version, written(torch.zeros(2), 5)._version)

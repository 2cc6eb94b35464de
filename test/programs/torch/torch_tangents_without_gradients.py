# Tangents in `no_grad`, in-place changes under vmap, and rates that are tensors.
import torch
import torch.autograd.forward_ad as fwd
from torch.func import jacfwd, jvp, linearize, vmap
from torch.optim.lr_scheduler import ExponentialLR, OneCycleLR
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn


def squares(x):
    with torch.no_grad():
        return x * x


@torch.no_grad()
def cubes(x):
    return x**3


x, v = torch.tensor([1.0, 2.0, 3.0]), torch.ones(3)
for _ in range(6):
    with fwd.dual_level():
        d = fwd.unpack_dual(squares(fwd.make_dual(x, v * 2)))
        e = fwd.unpack_dual(cubes(fwd.make_dual(x, v)))
    found = d.tangent, e.tangent, jvp(squares, (x,), (v,)), jacfwd(cubes)(x)
print(found)
leaf = torch.ones(3, requires_grad=True)
print(squares(leaf).requires_grad, torch.is_grad_enabled())
value, along = linearize(lambda x: x.sin() * x, x)
print(value, along(v))


class Square(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x**2

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, g):
        return g * 2 * ctx.saved_tensors[0]

    @staticmethod
    def jvp(ctx, g):
        return g * 2 * ctx.saved_tensors[0]


print(jvp(Square.apply, (x,), (v,)), torch.func.grad(lambda x: Square.apply(x).sum())(x))

whole = torch.arange(6.0).view(2, 3)
kept = torch.zeros(3)
try:
    vmap(lambda a, b: b.add_(a), in_dims=(0, None))(whole, kept)
except RuntimeError as error:
    print(type(error).__name__)
print(vmap(lambda a: (a.sum(), a.max(0)))(whole))

w = torch.ones(1, requires_grad=True)
o = torch.optim.SGD([w], lr=torch.tensor(0.1))
held = o.param_groups[0]["lr"]
s = ExponentialLR(o, 0.5)
for _ in range(3):
    o.step()
    s.step()
print(held, o.param_groups[0]["lr"] is held, s.base_lrs, s.get_last_lr())
print(list(OneCycleLR(torch.optim.SGD([w], lr=0.1, momentum=0.9), 0.5, total_steps=4).state_dict()))
try:
    torch.optim.Adam([w], lr=torch.tensor(0.1), foreach=True)
except ValueError as error:
    print(error)
m = torch.nn.BatchNorm1d(2)
a = AveragedModel(m, multi_avg_fn=get_ema_multi_avg_fn(0.5), use_buffers=True)
for i in range(3):
    m(torch.ones(4, 2) * i)
    a.update_parameters(m)
print(a.module.running_mean, a.module.num_batches_tracked)

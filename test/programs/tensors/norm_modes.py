# Normalisation with every mode: what is tracked, what is learned, and what is refused.
import torch, warnings, copy
from torch import nn
warnings.simplefilter("ignore")
def r(t):
    return None if t is None else [round(v, 1) + 0.0 if v == v else "nan" for v in t.detach().flatten().tolist()]
def show(name, f):
    try: print(name, *f())
    except Exception as e: print(name, type(e).__name__, str(e)[:200])
for cls, shape in ((nn.BatchNorm1d, (4, 3)), (nn.BatchNorm1d, (4, 3, 2)), (nn.BatchNorm2d, (2, 3, 2, 2)), (nn.BatchNorm3d, (2, 3, 1, 2, 2)), (nn.InstanceNorm1d, (2, 3, 4)), (nn.InstanceNorm1d, (3, 4)), (nn.InstanceNorm2d, (2, 3, 2, 2)), (nn.InstanceNorm3d, (2, 3, 1, 2, 2))):
    for mom in (0.1, None, 0.0, 1.0):
        for aff in (True, False):
            for track in (True, False):
                def f():
                    torch.manual_seed(0)
                    m = cls(3, momentum=mom, affine=aff, track_running_stats=track)
                    out = []
                    for i in range(12):
                        x = torch.randn(shape).round().requires_grad_(True)
                        y = m(x * (i + 1) + i)
                        (y * torch.arange(y.numel()).view(y.shape)).sum().backward()
                        if i == 9: m.eval()
                    out += [r(y)[:3], r(x.grad)[:3], r(m.running_mean), r(m.running_var), m.num_batches_tracked, list(m.state_dict()), r(m.weight.grad) if aff else None]
                    return out
                show(f"{cls.__name__} {shape} {mom} {aff} {track}", f)
for cls, shapes in ((nn.BatchNorm1d, ((1, 3), (3,), (2, 4), (1, 3, 1), (2, 3, 0), (0, 3), (2, 3, 1, 1))), (nn.BatchNorm2d, ((1, 3, 1, 1), (2, 3, 2), (2, 4, 1, 1))), (nn.BatchNorm3d, ((1, 3, 1, 1, 1), (2, 3))), (nn.InstanceNorm1d, ((2, 3, 1), (2,), (2, 4, 5), (4, 5))), (nn.InstanceNorm2d, ((2, 3, 1, 1), (2, 2)))):
    for s in shapes:
        for kw in ({}, dict(affine=True, track_running_stats=False), dict(affine=False, track_running_stats=False), dict(affine=False, track_running_stats=True)):
            for train in (True, False):
                show(f"{cls.__name__} {s} {kw} {train}", lambda: [cls(3, **kw).train(train)(torch.ones(s)).shape])
for g, c, s in ((2, 4, (2, 4, 3)), (3, 4, (2, 4)), (1, 4, (2, 5)), (4, 4, (1, 4)), (2, 4, (1, 4, 0)), (2, 4, (4,))):
    show(f"group {g} {c} {s}", lambda: [r(nn.GroupNorm(g, c)(torch.arange(float(torch.Size(s).numel())).view(s)))])
for shp, s in ((3, (2, 3)), ((2, 3), (4, 2, 3)), (3, (2, 4)), (3, (3,)), ((3,), (0, 3)), (1, (2, 1))):
    for kw in ({}, dict(elementwise_affine=False), dict(bias=False), dict(eps=1.0)):
        show(f"layer {shp} {s} {kw}", lambda: [r(nn.LayerNorm(shp, **kw)(torch.arange(float(torch.Size(s).numel())).view(s))), list(nn.LayerNorm(shp, **kw).state_dict())])

bn = nn.BatchNorm1d(2); x = torch.tensor([[1., 2.], [3., 4.]])
F = nn.functional
show("fn", lambda: [r(F.batch_norm(x, None, None, training=True))])
show("fn", lambda: [r(F.batch_norm(x, None, None))])
show("fn", lambda: [r(F.batch_norm(x, torch.zeros(2), torch.ones(2), momentum=0.5, training=True))])
show("fn", lambda: [r(F.batch_norm(x, torch.zeros(3), torch.ones(2)))])
show("fn", lambda: [r(F.batch_norm(x, torch.zeros(2), torch.ones(3)))])
show("fn", lambda: [r(F.batch_norm(x, torch.zeros(2), torch.ones(2), torch.ones(3)))])
show("fn", lambda: [r(F.batch_norm(x, torch.zeros(2), torch.ones(2), torch.ones(2), torch.ones(1)))])
show("fn", lambda: [r(F.batch_norm(x, torch.zeros(2), None, training=True))])
b = nn.BatchNorm1d(2, momentum=None); b(x); c = copy.deepcopy(b); c(x * 2); print(r(b.running_mean), r(c.running_mean), b.num_batches_tracked, c.num_batches_tracked)
d = nn.BatchNorm1d(2); d.load_state_dict({k: v for k, v in b.state_dict().items()}); d(x); print(d.num_batches_tracked, r(d.running_mean))
sd = b.state_dict(); del sd["num_batches_tracked"]
show("old", lambda: [nn.BatchNorm1d(2).load_state_dict(sd)])
sd._metadata[""]["version"] = 1
show("older", lambda: [nn.BatchNorm1d(2).load_state_dict(sd)])

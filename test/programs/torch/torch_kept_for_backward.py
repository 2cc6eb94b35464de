"""What backward keeps of functions made of several operations: writing to it in between is an error."""
import torch
import torch.nn.functional as F


def outcome(make, write):
    torch.manual_seed(0)
    x = torch.tensor([0.3, 0.5, 0.2, 0.7], requires_grad=True)
    u = torch.tensor([0.4, 0.1, 0.6, 0.25], requires_grad=True)
    y, w = x * 1.1, u * 1.1
    z = make(y, w)
    with torch.no_grad():
        {"y": y, "w": w, "z": z}[write].mul_(1.5)
    try:
        z.sum().backward()
    except RuntimeError as e:
        assert "modified by an inplace operation" in str(e)
        return "error"
    return [round(g, 4) for g in x.grad.tolist()]


cases = {
    "std": lambda y, w: y.std(), "var": lambda y, w: y.var(0), "logsumexp": lambda y, w: y.logsumexp(0),
    "max": lambda y, w: y.max(), "max_dim": lambda y, w: y.max(0)[0], "maximum": lambda y, w: torch.max(y, w),
    "median": lambda y, w: y.median(), "cumprod": lambda y, w: y.cumprod(0), "cummax": lambda y, w: y.cummax(0)[0],
    "gelu": lambda y, w: F.gelu(y), "leaky": lambda y, w: F.leaky_relu(y), "hardtanh": lambda y, w: F.hardtanh(y),
    "clamp": lambda y, w: y.clamp(0, 0.5), "clamp_t": lambda y, w: y.clamp(w), "fmax": lambda y, w: torch.fmax(y, w),
    "lerp": lambda y, w: torch.lerp(y, w, 0.3), "lerp_t": lambda y, w: torch.lerp(y, w, w),
    "mse": lambda y, w: F.mse_loss(y, w), "huber": lambda y, w: F.huber_loss(y, w),
    "layer_norm": lambda y, w: F.layer_norm(y, (4,)), "group_norm": lambda y, w: F.group_norm(y.view(1, 2, 2), 1),
    "max_pool": lambda y, w: F.max_pool1d(y.view(1, 1, 4), 2), "avg_pool": lambda y, w: F.avg_pool1d(y.view(1, 1, 4), 2),
    "gather": lambda y, w: y.gather(0, torch.tensor([1])), "masked_select": lambda y, w: y.masked_select(w > 0.2),
    "index_add": lambda y, w: y.index_add(0, torch.tensor([0]), w[:1]), "dist": lambda y, w: torch.dist(y, w),
    "scatter_amax": lambda y, w: y.scatter_reduce(0, torch.tensor([0]), w[:1], "amax"),
    "pow_half": lambda y, w: y**0.5, "pow_minus": lambda y, w: y**-1, "pow_t": lambda y, w: y ** torch.ones(4),
    "rsqrt": lambda y, w: y**-0.5, "solve": lambda y, w: torch.linalg.solve(y.view(2, 2), w.view(2, 2)),
    "inv": lambda y, w: torch.linalg.inv(y.view(2, 2)), "det": lambda y, w: torch.linalg.det(y.view(2, 2)),
}
for name, make in cases.items():
    print(name, *[outcome(make, write) for write in "ywz"])


# In place, on a value of its own, none of them is in the way.
def in_place(x, i):
    y = F.leaky_relu(x * (i - 3), 0.1, inplace=True)
    return y.pow(2)


def kept_then_written(x, i):
    y = x * 2
    z = F.gelu(y)
    if i % 3 == 2:
        y.add_(1)
    return z


for i in range(9):
    x = torch.tensor([1.0, -2.0], requires_grad=True)
    in_place(x, i).sum().backward()
    try:
        kept_then_written(x, i).sum().backward()
    except RuntimeError as e:
        print(str(e).split(", which")[0])
    print(i, [round(g, 4) for g in x.grad.tolist()])

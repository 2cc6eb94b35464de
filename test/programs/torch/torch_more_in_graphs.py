"""The newer functions inside of hot functions: graphs and tier 0 agree."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
torch.set_printoptions(precision=3, sci_mode=False)


def pointwise(x, y):
    a = torch.atan(x) + torch.asinh(y) + torch.sinc(x) + torch.logaddexp(x, y)
    b = torch.asin(x * 0.3) * torch.acos(y * 0.3) + torch.atan2(x, y) + torch.hypot(x, y)
    c = torch.lgamma(x.abs() + 0.2) + torch.digamma(y.abs() + 0.7) + torch.copysign(x, y)
    d = torch.fmax(x, y) * torch.fmin(x, y) + torch.xlogy(x.abs(), y.abs()) + torch.deg2rad(x)
    return a + b + c + d + torch.logit(torch.sigmoid(x), eps=1e-3) + torch.heaviside(x.detach(), y.detach())


def places(x, y):
    r = torch.rot90(x) @ torch.fliplr(y) + torch.diag_embed(x[0])
    k = torch.kron(x[:2, :2], y[:2, :2]).sum() + torch.block_diag(x, y).pow(2).mean()
    s = torch.slice_scatter(x, y[:1], 0, 1, 2) + torch.select_scatter(x, y[0], 1, 2)
    d = torch.diff(x, dim=0).sum() + torch.column_stack([x, y]).std() + torch.tensordot(x, y, 2)
    pieces = torch.tensor_split(x, 2, dim=1)
    return r * k + s + d + pieces[0].sum() - torch.cross(x, y, dim=1) + torch.matrix_power(x * 0.3, 3)


def scans(x, index):
    a = torch.cummax(x, 1)[0] + torch.logcumsumexp(x, 0) + torch.cummin(x, 0)[0]
    b = torch.scatter_reduce(x, 1, index, x * 2, "amax") + x.scatter_reduce(0, index, x, "mean", include_self=False)
    c = torch.cov(x) + torch.corrcoef(x) + torch.nansum(x) + torch.trapezoid(x, dim=0).sum()
    d = torch.isin(index, torch.tensor([0, 2])).float() + torch.bucketize(x.detach(), torch.tensor([-0.5, 0.5]))
    e = x.index_put((index[0], index[1]), x[0] * 3, accumulate=True) + torch.einsum("ij,kj->ik", x, x[:, :1])
    return a + b + c + d + e + x.masked_scatter(index > 1, x * 5)


bag = nn.EmbeddingBag(6, 3, mode="mean")
norm = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.LocalResponseNorm(2), nn.ChannelShuffle(2))
optimizer = torch.optim.ASGD([*bag.parameters(), *norm.parameters()], lr=0.01)
ids, target = torch.tensor([[1, 2, 5], [0, 4, 4]]), torch.tensor([2, 0])
theta = torch.tensor([[[0.9, 0.1, 0.0], [-0.1, 1.1, 0.2]]])


def train(image):
    optimizer.zero_grad()
    grid = F.affine_grid(theta, (1, 1, 4, 4), align_corners=False)
    seen = norm(F.grid_sample(image, grid, align_corners=False))
    loss = F.multi_margin_loss(bag(ids), target) + F.soft_margin_loss(seen, torch.sign(image.expand_as(seen)))
    loss.backward()
    optimizer.step()
    return loss


x, y = torch.randn(3, 3, requires_grad=True), torch.randn(3, 3, requires_grad=True)
index = torch.tensor([[0, 1, 2], [2, 2, 0], [1, 0, 1]])
for f, args in [(pointwise, (x, y)), (places, (x, y)), (scans, (x, index))]:
    for _ in range(40):
        x.grad = y.grad = None
        out = f(*args)
        (out * torch.arange(9.0).reshape(3, 3)).sum().backward()
    print(f.__name__, out.detach(), x.grad, y.grad)
image = torch.randn(1, 1, 4, 4)
for _ in range(40):
    loss = train(image)
print(round(loss.item(), 4), bag.weight.detach(), norm[0].bias.detach())

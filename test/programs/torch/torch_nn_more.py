"""Modules: bags, norms of neighbours, margins, grids, lazy layers, CTC."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
torch.set_printoptions(precision=3, sci_mode=False)
bag = nn.EmbeddingBag(5, 2, mode="sum")
print(bag, bag.weight.detach())
ids, starts = torch.tensor([1, 2, 4, 1, 3]), torch.tensor([0, 2, 2])
print(bag(ids, starts).detach(), bag(torch.tensor([[0, 1], [4, 4]])).detach(), bag(ids, starts, per_sample_weights=torch.arange(5.0)).detach())
w = bag.weight
for mode in ["sum", "mean", "max"]:
    y = F.embedding_bag(ids, w, starts, mode=mode, padding_idx=4)
    print(mode, y.detach(), torch.autograd.grad(y.pow(2).sum(), w)[0])
x = torch.randn(1, 4, 3, 3, requires_grad=True)
for m in [nn.LocalResponseNorm(2), nn.LPPool2d(2, 2, stride=1), nn.Softmax2d(), nn.ChannelShuffle(2)]:
    y = m(x)
    print(m, y.sum(1).detach(), torch.autograd.grad(y.pow(2).sum(), x)[0][0, 0])
print(nn.LPPool1d(3, 2)(x[0, :, 0].abs()).detach())
torch.manual_seed(3)
for m in [nn.AlphaDropout(0.4), nn.FeatureAlphaDropout(0.5), nn.Dropout3d(0.5), nn.RReLU(0.1, 0.3)]:
    print(m, m(x).detach()[0, :2], torch.equal(m.eval()(x.clamp(min=0)), x.clamp(min=0)))
print(nn.RReLU().eval()(torch.tensor([-24.0, 48.0])))
s = torch.tensor([[0.1, 0.2, 0.4, 0.8], [0.5, -0.3, 0.2, 0.1]], requires_grad=True)
labels = torch.tensor([3, 0])
many = torch.tensor([[3, 0, -1, 1], [1, -1, -1, 0]])
hot = torch.tensor([[0.0, 1.0, 1.0, 0.0], [1.0, 0.0, 0.0, 1.0]])
for loss, target in [
    (nn.MultiMarginLoss(), labels), (nn.MultiMarginLoss(p=2, margin=0.5, weight=torch.tensor([1.0, 2.0, 3.0, 4.0]), reduction="none"), labels),
    (nn.MultiLabelMarginLoss(), many), (nn.MultiLabelMarginLoss(reduction="sum"), many), (nn.SoftMarginLoss(), hot * 2 - 1),
    (nn.MultiLabelSoftMarginLoss(), hot), (nn.PoissonNLLLoss(full=True), hot * 3), (nn.PoissonNLLLoss(log_input=False, reduction="sum"), hot),
]:
    y = loss(s, target)
    print(type(loss).__name__, y.detach(), torch.autograd.grad(y.sum(), s)[0])
a, p, n = torch.randn(3, 4, 2)
print(nn.TripletMarginWithDistanceLoss(distance_function=lambda u, v: (u - v).abs().sum(1), swap=True)(a, p, n), F.triplet_margin_with_distance_loss(a, p, n, margin=2.0, reduction="none"))
theta = torch.tensor([[[0.8, -0.3, 0.1], [0.2, 0.9, -0.2]]], requires_grad=True)
image = torch.arange(1.0, 13.0).reshape(1, 1, 3, 4).requires_grad_()
for corners in [True, False]:
    grid = F.affine_grid(theta, (1, 1, 2, 3), align_corners=corners)
    print(grid.detach())
    for padding in ["zeros", "border", "reflection"]:
        y = F.grid_sample(image, grid * 1.4, padding_mode=padding, align_corners=corners)
        print(padding, y.detach(), *torch.autograd.grad(y.pow(2).sum(), [image, theta], retain_graph=True))
        print(F.grid_sample(image, grid * 1.4, mode="nearest", padding_mode=padding, align_corners=corners).detach())
lazy = nn.Sequential(nn.LazyConv2d(2, 3), nn.Flatten(), nn.LazyLinear(3))
print(lazy)
print(lazy(torch.ones(1, 1, 4, 4)).detach(), lazy, [tuple(q.shape) for q in lazy.parameters()])
logits = torch.randn(6, 2, 4, requires_grad=True)
targets = torch.tensor([[1, 1, 3], [2, 0, 0]])
for how in ["none", "mean", "sum"]:
    y = F.ctc_loss(logits.log_softmax(2), targets, torch.tensor([6, 5]), torch.tensor([3, 1]), reduction=how)
    print(y.detach(), torch.autograd.grad(y.sum(), logits)[0][:, 0].sum(1).abs().max() < 1e-5, torch.autograd.grad(F.ctc_loss(logits.log_softmax(2), targets, [6, 5], [3, 1], reduction=how).sum(), logits)[0][1])
print(nn.CTCLoss(zero_infinity=True)(logits.log_softmax(2), torch.tensor([1, 1, 3, 2]), (3, 5), (3, 1)).detach(), F.ctc_loss(logits.log_softmax(2), targets, (3, 5), (3, 1), reduction="none").detach())
k = torch.empty(2, 3, 3)
print(nn.init.dirac_(k), F.pdist(torch.tensor([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]])))
for f in [lambda: nn.AlphaDropout(2.0), lambda: F.channel_shuffle(torch.ones(1, 3, 2), 2), lambda: nn.MultiMarginLoss(p=3), lambda: F.grid_sample(image, grid, mode="foo"), lambda: F.local_response_norm(torch.ones(2), 2)]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)

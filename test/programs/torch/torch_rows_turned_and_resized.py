"""Embeddings by frequency and within a norm, orthogonal weights, and pictures of bytes in other sizes."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils import parametrizations, parametrize

torch.manual_seed(0)
for options in ({"scale_grad_by_freq": True}, {"scale_grad_by_freq": True, "padding_idx": 1}, {"max_norm": 1.5},
                {"max_norm": 1.5, "norm_type": 1.0, "scale_grad_by_freq": True}):
    layer = nn.Embedding(5, 3, **options)
    with torch.no_grad():
        layer.weight.copy_(torch.arange(15.0).reshape(5, 3) / 4)
    out = layer(torch.tensor([[1, 1, 2], [1, 4, 2]]))
    (out * torch.arange(1.0, 19.0).reshape(2, 3, 3)).sum().backward()
    print(layer, out, layer.weight.grad, layer.weight, sep="\n")
wide = torch.arange(15.0).reshape(3, 5).t().requires_grad_()
F.embedding(torch.tensor([1, 1, 3]), wide, scale_grad_by_freq=True).square().sum().backward()
print(wide.grad)
for mode in ("sum", "mean", "max"):
    bag = nn.EmbeddingBag(5, 3, max_norm=2.0, mode=mode)
    with torch.no_grad():
        bag.weight.copy_(torch.arange(15.0).reshape(5, 3))
    print(bag(torch.tensor([1, 1, 2, 4]), torch.tensor([0, 2])), bag.weight)

for chosen in (None, "matrix_exp", "cayley", "householder"):
    for extents in ((4, 4), (5, 3), (3, 5)):
        torch.manual_seed(3)
        layer = parametrizations.orthogonal(nn.Linear(*extents), orthogonal_map=chosen)
        w = layer.weight
        rows, columns = w.shape
        product = w @ w.T if rows <= columns else w.T @ w
        print(chosen, extents, tuple(w.shape), torch.allclose(product, torch.eye(min(extents)), atol=1e-5))
        if rows == columns:
            (w**2 * torch.arange(16.0).reshape(4, 4)).sum().backward()
            print([round(v, 3) + 0.0 for v in w.flatten().tolist()])
            grad = layer.parametrizations.weight.original.grad
            print([round(v, 2) + 0.0 for v in grad.flatten().tolist()])
        opt = torch.optim.SGD(layer.parameters(), 0.1)
        for _ in range(3):
            opt.zero_grad()
            layer(torch.ones(2, extents[0])).square().sum().backward()
            opt.step()
        w = layer.weight
        product = w @ w.T if rows <= columns else w.T @ w
        print(torch.allclose(product, torch.eye(min(extents)), atol=1e-5))
layer = parametrizations.orthogonal(nn.Linear(3, 3), use_trivialization=False, orthogonal_map="householder")
print(layer, list(layer.state_dict()), parametrize.is_parametrized(layer))
layer.weight = torch.eye(3)
print((layer.weight - torch.eye(3)).abs().max() < 1e-6)
for make in (
    lambda: parametrizations.orthogonal(nn.Linear(3, 3), orthogonal_map="x"),
    lambda: parametrizations.orthogonal(nn.Linear(3, 3), name="q"),
    lambda: parametrizations.orthogonal(nn.BatchNorm1d(3)),
    lambda: parametrizations.orthogonal(nn.Linear(3, 3), use_trivialization=False, orthogonal_map="cayley"),
):
    try:
        made = make()
        made.weight = torch.eye(3)
    except (ValueError, NotImplementedError) as error:
        print(type(error).__name__, error)

picture = (torch.arange(2 * 3 * 5 * 7) * 37 % 256).to(torch.uint8).reshape(2, 3, 5, 7)
for mode in ("bilinear", "bicubic"):
    for options in ({"size": (3, 4)}, {"size": (9, 11)}, {"scale_factor": 2}, {"size": (3, 4), "align_corners": True},
                    {"size": (3, 4), "antialias": True}, {"size": (9, 12), "antialias": True}, {"scale_factor": (1.5, 0.7)}):
        made = F.interpolate(picture, mode=mode, **options)
        print(mode, options, made.dtype, tuple(made.shape), made.long().sum().item(), made[1, 2].tolist())

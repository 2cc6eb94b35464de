"""Maps of tensors: where each pixel of the result comes from, in halves of the picture's extents."""

import torch
from torch.nn import functional as F

from torchvision.transforms._tensors import FLOATS, batched, unbatched


def _check(interpolation):
    if interpolation not in ("nearest", "bilinear"):
        raise ValueError(
            "Resampling mode is unsupported with Tensor input" if interpolation != "bicubic" else
            "bicubic interpolation of a rotated tensor is not supported"
        )


def _sampled(img, grid, interpolation, fill):
    batch, was = batched(img, FLOATS)
    if batch.shape[0] > 1:
        grid = grid.expand(batch.shape[0], *grid.shape[1:])
    if fill is not None:
        # What comes from outside shows as a hole in a picture of ones.
        batch = torch.cat((batch, torch.ones_like(batch[:, :1])), dim=1)
    grid = grid.to(batch.dtype)
    out = F.grid_sample(batch, grid, mode=interpolation, padding_mode="zeros", align_corners=False)
    if fill is not None:
        mask = out[:, -1:].expand_as(out[:, :-1])
        out = out[:, :-1]
        values = fill if isinstance(fill, (tuple, list)) else [float(fill)]
        color = torch.tensor(values, dtype=out.dtype).view(1, len(values), 1, 1).expand_as(out)
        out = torch.where(mask < 0.5, color, out) if interpolation == "nearest" else out * mask + (1.0 - mask) * color
    return unbatched(out, was)


def _affine_grid(matrix, width, height, out_width, out_height):
    theta = torch.tensor(matrix, dtype=torch.float32).reshape(1, 2, 3)
    base = torch.empty(1, out_height, out_width, 3)
    base[..., 0] = torch.linspace(-out_width * 0.5 + 0.5, out_width * 0.5 + 0.5 - 1, steps=out_width)
    base[..., 1] = torch.linspace(-out_height * 0.5 + 0.5, out_height * 0.5 + 0.5 - 1, steps=out_height).unsqueeze(-1)
    base[..., 2] = 1
    scaled = theta.transpose(1, 2) / torch.tensor([0.5 * width, 0.5 * height])
    return base.view(1, out_height * out_width, 3).bmm(scaled).view(1, out_height, out_width, 2)


def affine(img, matrix, interpolation, fill):
    _check(interpolation)
    height, width = img.shape[-2:]
    return _sampled(img, _affine_grid(matrix, width, height, width, height), interpolation, fill)


def _extents(matrix, width, height):
    """Width and height of the whole picture when it is turned."""
    corners = torch.tensor(
        [
            [-0.5 * width, -0.5 * height, 1.0],
            [-0.5 * width, 0.5 * height, 1.0],
            [0.5 * width, 0.5 * height, 1.0],
            [0.5 * width, -0.5 * height, 1.0],
        ]
    )
    places = torch.matmul(corners, torch.tensor(matrix, dtype=torch.float32).view(2, 3).T)
    low, high = places.min(dim=0).values, places.max(dim=0).values
    low += torch.tensor((width * 0.5, height * 0.5))
    high += torch.tensor((width * 0.5, height * 0.5))
    first = torch.trunc(low / 1e-3) * 1e-3
    last = torch.trunc(high / 1e-3) * 1e-3
    extents = torch.ceil(last) - torch.floor(first)
    return int(extents[0]), int(extents[1])


def rotate(img, matrix, interpolation, expand, fill):
    _check(interpolation)
    height, width = img.shape[-2:]
    out_width, out_height = _extents(matrix, width, height) if expand else (width, height)
    return _sampled(img, _affine_grid(matrix, width, height, out_width, out_height), interpolation, fill)


def perspective(img, coefficients, interpolation, fill):
    _check(interpolation)
    height, width = img.shape[-2:]
    c = coefficients
    top = torch.tensor([[[c[0], c[1], c[2]], [c[3], c[4], c[5]]]])
    under = torch.tensor([[[c[6], c[7], 1.0], [c[6], c[7], 1.0]]])
    base = torch.empty(1, height, width, 3)
    base[..., 0] = torch.linspace(0.5, width + 0.5 - 1.0, steps=width)
    base[..., 1] = torch.linspace(0.5, height + 0.5 - 1.0, steps=height).unsqueeze(-1)
    base[..., 2] = 1
    flat = base.view(1, height * width, 3)
    over = torch.bmm(flat, top.transpose(1, 2) / torch.tensor([0.5 * width, 0.5 * height]))
    grid = over / torch.bmm(flat, under.transpose(1, 2)) - 1.0
    return _sampled(img, grid.view(1, height, width, 2), interpolation, fill)

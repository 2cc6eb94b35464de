"""Regions of feature maps in a size of their own, and a loss for detection."""

import math

import torch
from torch import nn
from torch.nn import functional as F


def _rows_of(boxes):
    """A row for each box: its picture and its corners."""
    if isinstance(boxes, (list, tuple)):
        number = [torch.full_like(b[:, :1], i) for i, b in enumerate(boxes)]
        return torch.cat([torch.cat(number, dim=0), torch.cat(list(boxes), dim=0)], dim=1)
    if boxes.dim() != 2 or boxes.shape[1] != 5:
        raise ValueError("The boxes tensor shape is not correct as Tensor[K, 5].")
    return boxes


def _pair(size):
    return (size, size) if isinstance(size, int) else tuple(size)


def _along(places, n):
    """The two pixels around each place, the share of the second, and whether the place is inside."""
    inside = (places >= -1.0) & (places <= n)
    places = places.clamp(min=0)
    low = places.floor().to(torch.int64)
    last = low >= n - 1
    low = low.clamp(max=n - 1)
    high = torch.where(last, low, low + 1)
    share = torch.where(last, torch.zeros_like(places), places - low.to(places.dtype))
    return low, high, share, inside.to(places.dtype)


def roi_align(input, boxes, output_size, spatial_scale=1.0, sampling_ratio=-1, aligned=False):
    rois = _rows_of(boxes)
    height, width = _pair(output_size)
    shift = 0.5 if aligned else 0.0
    out = []
    for roi in rois:
        x1, y1, x2, y2 = (roi[i] * spatial_scale - shift for i in range(1, 5))
        w, h = x2 - x1, y2 - y1
        if not aligned:
            w, h = w.clamp(min=1.0), h.clamp(min=1.0)
        bin_h, bin_w = h / height, w / width
        ny = sampling_ratio if sampling_ratio > 0 else max(int(math.ceil(bin_h.item())), 0)
        nx = sampling_ratio if sampling_ratio > 0 else max(int(math.ceil(bin_w.item())), 0)
        features = input[int(roi[0].item())]
        if nx == 0 or ny == 0:
            out.append(torch.zeros(features.shape[0], height, width, dtype=input.dtype))
            continue
        steps_y = torch.arange(height, dtype=input.dtype)[:, None] * bin_h
        steps_x = torch.arange(width, dtype=input.dtype)[:, None] * bin_w
        y = (y1 + steps_y + (torch.arange(ny, dtype=input.dtype) + 0.5)[None, :] * bin_h / ny).reshape(-1)
        x = (x1 + steps_x + (torch.arange(nx, dtype=input.dtype) + 0.5)[None, :] * bin_w / nx).reshape(-1)
        y_low, y_high, dy, y_in = _along(y, features.shape[1])
        x_low, x_high, dx, x_in = _along(x, features.shape[2])
        top, bottom = features[:, y_low], features[:, y_high]
        dy, dx = dy[None, :, None], dx[None, None, :]
        values = (
            (1 - dy) * (1 - dx) * top[:, :, x_low] + (1 - dy) * dx * top[:, :, x_high]
            + dy * (1 - dx) * bottom[:, :, x_low] + dy * dx * bottom[:, :, x_high]
        )
        values = values * y_in[None, :, None] * x_in[None, None, :]
        out.append(values.reshape(-1, height, ny, width, nx).sum((2, 4)) / max(ny * nx, 1))
    if not out:
        return torch.zeros(0, input.shape[1], height, width, dtype=input.dtype)
    return torch.stack(out)


def _rounded(x):
    """Halves go away from zero."""
    return int(math.copysign(math.floor(abs(x) + 0.5), x))


def roi_pool(input, boxes, output_size, spatial_scale=1.0):
    rois = _rows_of(boxes)
    height, width = _pair(output_size)
    out = []
    for roi in rois:
        features = input[int(roi[0].item())]
        x1, y1, x2, y2 = (_rounded(roi[i].item() * spatial_scale) for i in range(1, 5))
        bin_h, bin_w = max(y2 - y1 + 1, 1) / height, max(x2 - x1 + 1, 1) / width
        rows = []
        for i in range(height):
            top = min(max(int(math.floor(i * bin_h)) + y1, 0), features.shape[1])
            bottom = min(max(int(math.ceil((i + 1) * bin_h)) + y1, 0), features.shape[1])
            row = []
            for j in range(width):
                left = min(max(int(math.floor(j * bin_w)) + x1, 0), features.shape[2])
                right = min(max(int(math.ceil((j + 1) * bin_w)) + x1, 0), features.shape[2])
                part = features[:, top:bottom, left:right]
                row.append(part.amax((1, 2)) if part.numel() else torch.zeros(features.shape[0], dtype=input.dtype))
            rows.append(torch.stack(row, 1))
        out.append(torch.stack(rows, 1))
    return torch.stack(out)


class RoIAlign(nn.Module):
    def __init__(self, output_size, spatial_scale, sampling_ratio, aligned=False):
        super().__init__()
        self.output_size = output_size
        self.spatial_scale = spatial_scale
        self.sampling_ratio = sampling_ratio
        self.aligned = aligned

    def forward(self, input, rois):
        return roi_align(input, rois, self.output_size, self.spatial_scale, self.sampling_ratio, self.aligned)


class RoIPool(nn.Module):
    def __init__(self, output_size, spatial_scale):
        super().__init__()
        self.output_size = output_size
        self.spatial_scale = spatial_scale

    def forward(self, input, rois):
        return roi_pool(input, rois, self.output_size, self.spatial_scale)


def sigmoid_focal_loss(inputs, targets, alpha=0.25, gamma=2, reduction="none"):
    if not (0 <= alpha <= 1) and alpha != -1:
        raise ValueError(f"Invalid alpha value: {alpha}. alpha must be in the range [0,1] or -1 for ignore.")
    p = torch.sigmoid(inputs)
    ce = F.binary_cross_entropy_with_logits(inputs, targets, reduction="none")
    loss = ce * (1 - (p * targets + (1 - p) * (1 - targets))) ** gamma
    if alpha >= 0:
        loss = (alpha * targets + (1 - alpha) * (1 - targets)) * loss
    if reduction == "none":
        return loss
    if reduction not in ("mean", "sum"):
        raise ValueError(
            f"Invalid Value for arg 'reduction': '{reduction} \n Supported reduction modes: 'none', 'mean', 'sum'"
        )
    return loss.mean() if reduction == "mean" else loss.sum()

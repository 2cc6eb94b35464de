"""Boxes: left, top, right and bottom."""

import math

import torch

from torchvision import _C as _kernels


def nms(boxes, scores, iou_threshold):
    if boxes.dim() != 2:
        raise RuntimeError(f"boxes should be a 2d tensor, got {boxes.dim()}D")
    if boxes.size(1) != 4:
        raise RuntimeError(f"boxes should have 4 elements in dimension 1, got {boxes.size(1)}")
    if scores.dim() != 1:
        raise RuntimeError(f"scores should be a 1d tensor, got {scores.dim()}D")
    if boxes.size(0) != scores.size(0):
        raise RuntimeError(
            "boxes and scores should have same number of elements in dimension 0, "
            f"got {boxes.size(0)} and {scores.size(0)}"
        )
    if boxes.dtype != scores.dtype:
        raise RuntimeError("dets should have the same type as scores")
    order = scores.detach().argsort(stable=True, dim=0, descending=True)
    return _kernels.nms(boxes.detach(), order, float(iou_threshold))


def batched_nms(boxes, scores, idxs, iou_threshold):
    if boxes.numel() > 4000:
        keep = torch.zeros_like(scores, dtype=torch.bool)
        for group in torch.unique(idxs):
            where = torch.where(idxs == group)[0]
            keep[where[nms(boxes[where], scores[where], iou_threshold)]] = True
        kept = torch.where(keep)[0]
        return kept[scores[kept].sort(descending=True)[1]]
    if boxes.numel() == 0:
        return torch.empty((0,), dtype=torch.int64)
    # Each group is moved to a place of its own.
    offsets = idxs.to(boxes) * (boxes.max() + torch.tensor(1).to(boxes))
    return nms(boxes + offsets[:, None], scores, iou_threshold)


def remove_small_boxes(boxes, min_size):
    return torch.where((boxes[:, 2] - boxes[:, 0] >= min_size) & (boxes[:, 3] - boxes[:, 1] >= min_size))[0]


def clip_boxes_to_image(boxes, size):
    height, width = size
    x = boxes[..., 0::2].clamp(min=0, max=width)
    y = boxes[..., 1::2].clamp(min=0, max=height)
    return torch.stack((x, y), dim=boxes.dim()).reshape(boxes.shape)


def box_convert(boxes, in_fmt, out_fmt):
    formats = ("xyxy", "xywh", "cxcywh")
    if in_fmt not in formats or out_fmt not in formats:
        raise ValueError(f"Unsupported Bounding Box Conversions for given in_fmt {in_fmt} and out_fmt {out_fmt}")
    if in_fmt == out_fmt:
        return boxes.clone()
    a, b, c, d = boxes.unbind(-1)
    if in_fmt == "xywh":
        a, b, c, d = a, b, a + c, b + d
    elif in_fmt == "cxcywh":
        a, b, c, d = a - 0.5 * c, b - 0.5 * d, a + 0.5 * c, b + 0.5 * d
    if out_fmt == "xywh":
        a, b, c, d = a, b, c - a, d - b
    elif out_fmt == "cxcywh":
        a, b, c, d = (a + c) / 2, (b + d) / 2, c - a, d - b
    return torch.stack((a, b, c, d), dim=-1)


def _wide(t):
    """In a dtype whose products do not overflow."""
    if t.is_floating_point():
        return t if t.dtype in (torch.float32, torch.float64) else t.float()
    return t if t.dtype in (torch.int32, torch.int64) else t.int()


def box_area(boxes, fmt="xyxy"):
    boxes = _wide(boxes)
    if fmt == "xyxy":
        return (boxes[..., 2] - boxes[..., 0]) * (boxes[..., 3] - boxes[..., 1])
    return boxes[..., 2] * boxes[..., 3]


def _shared(a, b):
    low = torch.max(a[..., :, None, :2], b[..., None, :, :2])
    high = torch.min(a[..., :, None, 2:], b[..., None, :, 2:])
    size = _wide(high - low).clamp(min=0)
    inter = size[..., 0] * size[..., 1]
    return inter, box_area(a)[..., :, None] + box_area(b)[..., None, :] - inter


def box_iou(boxes1, boxes2, fmt="xyxy"):
    if fmt != "xyxy":
        boxes1, boxes2 = box_convert(boxes1, fmt, "xyxy"), box_convert(boxes2, fmt, "xyxy")
    inter, union = _shared(boxes1, boxes2)
    return inter / union


def generalized_box_iou(boxes1, boxes2):
    inter, union = _shared(boxes1, boxes2)
    low = torch.min(boxes1[:, None, :2], boxes2[:, :2])
    high = torch.max(boxes1[:, None, 2:], boxes2[:, 2:])
    size = _wide(high - low).clamp(min=0)
    area = size[:, :, 0] * size[:, :, 1]
    return inter / union - (area - union) / area


def _distances(boxes1, boxes2, eps):
    """The overlap of each of some boxes with each of others, and how far their centres are apart beside the diagonal of both."""
    low, high = torch.min(boxes1[:, None, :2], boxes2[:, :2]), torch.max(boxes1[:, None, 2:], boxes2[:, 2:])
    diagonal = _wide(high - low).clamp(min=0).pow(2).sum(-1) + eps
    centres = [(boxes[:, :2] + boxes[:, 2:]) / 2 for boxes in (boxes1, boxes2)]
    apart = _wide(centres[0][:, None] - centres[1]).pow(2).sum(-1)
    return box_iou(boxes1, boxes2), apart / diagonal


def _shape_term(first, second, iou, eps):
    """How much the sides' ratios of two boxes differ, with its weight."""
    angles = [torch.atan((b[..., 2] - b[..., 0]) / (b[..., 3] - b[..., 1])) for b in (first, second)]
    v = 4 / math.pi ** 2 * (angles[0] - angles[1]).pow(2)
    with torch.no_grad():
        weight = v / (1 - iou + v + eps)
    return weight * v


def distance_box_iou(boxes1, boxes2, eps=1e-7):
    iou, apart = _distances(_wide(boxes1), _wide(boxes2), eps)
    return iou - apart


def complete_box_iou(boxes1, boxes2, eps=1e-7):
    boxes1, boxes2 = _wide(boxes1), _wide(boxes2)
    iou, apart = _distances(boxes1, boxes2, eps)
    return iou - apart - _shape_term(boxes1[:, None], boxes2[None], iou, eps)


def _pairs(boxes1, boxes2, eps):
    """Of boxes that belong together: overlap, union, and the corners of the box around both."""
    low, high = torch.max(boxes1[..., :2], boxes2[..., :2]), torch.min(boxes1[..., 2:], boxes2[..., 2:])
    size = high - low
    inter = torch.where((size > 0).all(-1), size[..., 0] * size[..., 1], 0)
    union = box_area(boxes1) + box_area(boxes2) - inter
    around = torch.min(boxes1[..., :2], boxes2[..., :2]), torch.max(boxes1[..., 2:], boxes2[..., 2:])
    return inter / (union + eps), union, around


def _reduced(loss, reduction):
    if reduction == "mean":
        return loss.mean() if loss.numel() > 0 else 0.0 * loss.sum()
    if reduction == "sum":
        return loss.sum()
    if reduction == "none":
        return loss
    raise ValueError(
        f"Invalid Value for arg 'reduction': '{reduction} \n Supported reduction modes: 'none', 'mean', 'sum'"
    )


def generalized_box_iou_loss(boxes1, boxes2, reduction="none", eps=1e-7):
    boxes1, boxes2 = _wide(boxes1), _wide(boxes2)
    iou, union, (low, high) = _pairs(boxes1, boxes2, eps)
    area = (high - low).prod(-1)
    return _reduced(1 - (iou - (area - union) / (area + eps)), reduction)


def _distance_loss(boxes1, boxes2, eps):
    iou, _, (low, high) = _pairs(boxes1, boxes2, eps)
    diagonal = (high - low).pow(2).sum(-1) + eps
    centres = [(boxes[..., :2] + boxes[..., 2:]) / 2 for boxes in (boxes1, boxes2)]
    return 1 - iou + (centres[0] - centres[1]).pow(2).sum(-1) / diagonal, iou


def distance_box_iou_loss(boxes1, boxes2, reduction="none", eps=1e-7):
    return _reduced(_distance_loss(_wide(boxes1), _wide(boxes2), eps)[0], reduction)


def complete_box_iou_loss(boxes1, boxes2, reduction="none", eps=1e-7):
    boxes1, boxes2 = _wide(boxes1), _wide(boxes2)
    loss, iou = _distance_loss(boxes1, boxes2, eps)
    return _reduced(loss + _shape_term(boxes2, boxes1, iou, eps), reduction)


def masks_to_boxes(masks):
    out = torch.zeros((masks.shape[0], 4), dtype=torch.float)
    for i, mask in enumerate(masks):
        y, x = torch.where(mask != 0)
        out[i] = torch.tensor([x.min(), y.min(), x.max(), y.max()], dtype=torch.float)
    return out

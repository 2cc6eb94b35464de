"""Boxes: left, top, right and bottom."""

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


def masks_to_boxes(masks):
    out = torch.zeros((masks.shape[0], 4), dtype=torch.float)
    for i, mask in enumerate(masks):
        y, x = torch.where(mask != 0)
        out[i] = torch.tensor([x.min(), y.min(), x.max(), y.max()], dtype=torch.float)
    return out

"""Boxes, regions and layers."""

import torch
from torchvision import ops, utils

g = torch.Generator().manual_seed(0)
b = torch.rand(200, 4, generator=g) * 50
b[:, 2:] += b[:, :2]
s = torch.rand(200, generator=g)
print(ops.nms(b, s, 0.5))
print(ops.nms(b.double(), s.double(), 0.1))
print(ops.batched_nms(b, s, torch.arange(200) % 5, 0.3))
print(ops.box_iou(b[:4], b[4:8]))
print(ops.generalized_box_iou(b[:4], b[4:8]))
print(ops.box_area(b[:3]))
for a in ("xyxy", "xywh", "cxcywh"):
    for c in ("xyxy", "xywh", "cxcywh"):
        print(a, c, ops.box_convert(b[:2], a, c))
print(ops.clip_boxes_to_image(b[:5], (30, 40)), ops.remove_small_boxes(b[:9], 20.0))
x = torch.rand(2, 3, 16, 20, generator=g, requires_grad=True)
rois = torch.tensor([[0, 1.0, 2, 10, 12], [1, 0, 0, 19.5, 15.2], [0, -3, -2, 5, 5], [1, 15, 12, 30, 30]])
for al in (False, True):
    for sr in (-1, 2):
        o = ops.roi_align(x, rois, (3, 4), 0.7, sr, al)
        print(o.shape, o.sum(), o.std())
(gr,) = torch.autograd.grad(ops.roi_align(x, rois, 2, 1.0, 2, True).square().sum(), x)
print(gr.sum(), gr.std())
print(ops.roi_pool(x, rois, (2, 2), 0.5).sum((2, 3)))
print(ops.roi_align(x, [rois[:1, 1:], rois[1:2, 1:]], 2).sum())
p = torch.randn(5, 4, generator=g)
t = (torch.rand(5, 4, generator=g) > 0.5).float()
print(ops.sigmoid_focal_loss(p, t, reduction="mean"), ops.sigmoid_focal_loss(p, t, alpha=-1, gamma=1, reduction="sum"))
torch.manual_seed(0)
d = ops.StochasticDepth(0.3, "row")
print(d, d(torch.ones(6, 2)).sum(1))
m = ops.MLP(4, [3, 2])
print(m)
print(ops.SqueezeExcitation(4, 2)(torch.ones(1, 4, 3, 3)).shape, ops.FrozenBatchNorm2d(3))
print(ops.masks_to_boxes(torch.tensor([[[0, 1, 0], [0, 1, 1.0]]])))
img = (torch.rand(3, 40, 50, generator=g) * 255).to(torch.uint8)
print(
    utils.draw_bounding_boxes(
        img, torch.tensor([[3, 4, 20, 30], [10, 10, 45, 35]]), colors=["red", "#00ff00"], width=2
    ).sum()
)
for bad in (lambda: ops.nms(b[:, :3], s, 0.5), lambda: ops.nms(b, s[:3], 0.5), lambda: ops.box_convert(b, "a", "b")):
    try:
        bad()
    except Exception as e:
        print(type(e).__name__, e)

"""Boxes, regions, and layers that models are made of."""

from torch import _C as _torch

from torchvision.ops.boxes import (
    batched_nms, box_area, box_convert, box_iou, clip_boxes_to_image, complete_box_iou, complete_box_iou_loss,
    distance_box_iou, distance_box_iou_loss, generalized_box_iou, generalized_box_iou_loss, masks_to_boxes, nms,
    remove_small_boxes,
)
from torchvision.ops.misc import (
    MLP, Conv2dNormActivation, FrozenBatchNorm2d, Permute, SqueezeExcitation, StochasticDepth, stochastic_depth,
)
from torchvision.ops.regions import RoIAlign, RoIPool, roi_align, roi_pool, sigmoid_focal_loss


def __getattr__(name):
    return _torch._missing_name("torchvision.ops", name)

"""The functions under their newer names."""

import numpy as np
import torch
from torch import _C

from torchvision import tv_tensors
from torchvision.transforms.functional import (
    InterpolationMode, adjust_brightness, adjust_contrast, adjust_gamma, adjust_hue, adjust_saturation,
    adjust_sharpness, affine, autocontrast, center_crop, convert_image_dtype, crop, equalize, erase, five_crop,
    gaussian_blur, get_dimensions, hflip, horizontal_flip, invert, normalize, pad, perspective, pil_to_tensor,
    posterize, resize, resized_crop, rgb_to_grayscale, rotate, solarize, ten_crop, to_grayscale, to_pil_image,
    to_tensor, vertical_flip, vflip,
)


def get_size(inpt):
    return get_dimensions(inpt)[1:]


def to_image(inpt):
    if isinstance(inpt, np.ndarray):
        t = torch.from_numpy(np.atleast_3d(inpt)).permute((2, 0, 1)).contiguous()
    elif isinstance(inpt, torch.Tensor):
        t = inpt
    else:
        t = pil_to_tensor(inpt)
    return tv_tensors.Image(t)


def to_dtype(inpt, dtype=torch.float32, scale=False):
    return tv_tensors.wrap(convert_image_dtype(inpt, dtype) if scale else inpt.to(dtype), like=inpt)


def __getattr__(name):
    return _C._missing_name("torchvision.transforms.v2.functional", name)

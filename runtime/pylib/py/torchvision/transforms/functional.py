"""What transforms do, as functions of a picture or a tensor."""

import math
import numbers
from enum import Enum

import numpy as np
import torch
from PIL import Image, ImageEnhance, ImageOps
from torch import _C

from torchvision import _C as _kernels
from torchvision.transforms import _grids, _tensors


class InterpolationMode(Enum):
    NEAREST = "nearest"
    NEAREST_EXACT = "nearest-exact"
    BILINEAR = "bilinear"
    BICUBIC = "bicubic"
    BOX = "box"
    HAMMING = "hamming"
    LANCZOS = "lanczos"


_OF_PILLOW = {
    0: InterpolationMode.NEAREST,
    2: InterpolationMode.BILINEAR,
    3: InterpolationMode.BICUBIC,
    4: InterpolationMode.BOX,
    5: InterpolationMode.HAMMING,
    1: InterpolationMode.LANCZOS,
}
pil_modes_mapping = {mode: number for number, mode in _OF_PILLOW.items()} | {InterpolationMode.NEAREST_EXACT: 0}


def interpolation_of(mode):
    """A way to interpolate, also by Pillow's number."""
    if isinstance(mode, int):
        mode = _OF_PILLOW[mode]
    if not isinstance(mode, InterpolationMode):
        raise TypeError("Argument interpolation should be a InterpolationMode or a corresponding Pillow integer constant")
    return mode


def _is_picture(img):
    return isinstance(img, Image.Image)


def _check_tensor(img):
    if not isinstance(img, torch.Tensor):
        raise TypeError(f"Unexpected type {type(img)}")
    if img.ndim < 2:
        raise TypeError("Tensor is not a torch image.")


# What it is


def get_dimensions(img):
    """Channels, height and width."""
    if _is_picture(img):
        return [len(img.getbands()), img.height, img.width]
    _check_tensor(img)
    return [1 if img.ndim == 2 else img.shape[-3], img.shape[-2], img.shape[-1]]


def get_image_size(img):
    """Width and height."""
    _, height, width = get_dimensions(img)
    return [width, height]


def get_image_num_channels(img):
    return get_dimensions(img)[0]


# From one type to another


def to_tensor(pic):
    if _is_picture(pic):
        t = pic._pixels()
        if t.dtype == torch.uint8 and torch.get_default_dtype() == torch.float32:
            return _kernels.planes(t)
        t = pil_to_tensor(pic)
    elif isinstance(pic, np.ndarray):
        if pic.ndim not in (2, 3):
            raise ValueError(f"pic should be 2/3 dimensional. Got {pic.ndim} dimensions.")
        if pic.ndim == 2:
            pic = pic[:, :, None]
        t = torch.from_numpy(pic.transpose((2, 0, 1))).contiguous()
    else:
        raise TypeError(f"pic should be PIL Image or ndarray. Got {type(pic)}")
    return t.to(dtype=torch.get_default_dtype()).div(255) if t.dtype == torch.uint8 else t


def pil_to_tensor(pic):
    if not _is_picture(pic):
        raise TypeError(f"pic should be PIL Image. Got {type(pic)}")
    t = pic._pixels()
    if pic.mode == "I;16":
        t = t.to(torch.int16)
    elif pic.mode == "1":
        t = t != 0
    if t.dim() == 2:
        return t.clone().unsqueeze(0)
    return t.permute(2, 0, 1).contiguous()


def convert_image_dtype(image, dtype=torch.float):
    if not isinstance(image, torch.Tensor):
        raise TypeError("Input img should be Tensor Image")
    return _tensors.convert_dtype(image, dtype)


_MODES = {
    1: {torch.uint8: ("L",), torch.int16: ("I;16",), torch.int32: ("I",), torch.float32: ("F",)},
    2: {torch.uint8: ("LA",)},
    3: {torch.uint8: ("RGB", "YCbCr", "HSV")},
    4: {torch.uint8: ("RGBA", "CMYK", "RGBX")},
}


def to_pil_image(pic, mode=None):
    if isinstance(pic, torch.Tensor):
        if pic.ndim == 3:
            pic = pic.permute(1, 2, 0)
        elif pic.ndim != 2:
            raise ValueError(f"pic should be 2/3 dimensional. Got {pic.ndim} dimensions.")
        if pic.is_floating_point() and mode != "F":
            pic = pic.mul(255).to(torch.uint8)
        t = pic.detach()
    elif isinstance(pic, np.ndarray):
        if pic.ndim not in (2, 3):
            raise ValueError(f"pic should be 2/3 dimensional. Got {pic.ndim} dimensions.")
        if pic.dtype.name == "uint16":
            return Image.fromarray(pic.reshape(pic.shape[:2]), mode)
        t = torch.from_numpy(pic)
    else:
        raise TypeError(f"pic should be Tensor or ndarray. Got {type(pic)}.")
    channels = 1 if t.ndim == 2 else t.shape[2]
    if channels > 4:
        raise ValueError(f"pic should not have > 4 channels. Got {channels} channels.")
    allowed = _MODES.get(channels, {}).get(t.dtype, ())
    if mode is not None and mode not in allowed:
        raise ValueError(f"Incorrect mode ({mode}) supplied for input type {t.dtype}. Should be {list(allowed)}")
    if not allowed:
        raise TypeError(f"Input type {str(t.dtype)[6:]} is not supported")
    if channels == 1:
        t = t.reshape(t.shape[:2])
    if t.dtype == torch.int16:
        t = t.to(torch.int32) & 0xFFFF
    if channels == 4 or mode is not None:
        mode = mode or allowed[0]
    return Image.of_tensor(t.contiguous().clone(), mode or allowed[0])


def normalize(tensor, mean, std, inplace=False):
    if not isinstance(tensor, torch.Tensor):
        raise TypeError(f"img should be Tensor Image. Got {type(tensor)}")
    if not tensor.is_floating_point():
        raise TypeError(f"Input tensor should be a float tensor. Got {tensor.dtype}.")
    if tensor.ndim < 3:
        raise ValueError(
            f"Expected tensor to be a tensor image of size (..., C, H, W). Got tensor.size() = {tensor.size()}"
        )
    mean = torch.as_tensor(mean, dtype=tensor.dtype)
    std = torch.as_tensor(std, dtype=tensor.dtype)
    if (std == 0).any():
        raise ValueError(f"std evaluated to zero after conversion to {tensor.dtype}, leading to division by zero.")
    if mean.ndim == 1:
        mean = mean.view(-1, 1, 1)
    if std.ndim == 1:
        std = std.view(-1, 1, 1)
    return tensor.sub_(mean).div_(std) if inplace else tensor.sub(mean).div_(std)


# Size and place


def _resized(height, width, size, max_size):
    """Of a height and a width, those where the shorter one is `size`, or both are."""
    if len(size) == 2:
        return list(size)
    short, long = min(height, width), max(height, width)
    new_short, new_long = size[0], int(size[0] * long / short)
    if max_size is not None:
        if max_size <= size[0]:
            raise ValueError(
                f"max_size = {max_size} must be strictly greater than the requested "
                f"size for the smaller edge size = {size}"
            )
        if new_long > max_size:
            new_short, new_long = int(max_size * new_short / new_long), max_size
    return [new_long, new_short] if width <= height else [new_short, new_long]


def resize(img, size, interpolation=InterpolationMode.BILINEAR, max_size=None, antialias=True):
    interpolation = interpolation_of(interpolation)
    size = [size] if isinstance(size, int) else list(size)
    if max_size is not None and len(size) != 1:
        raise ValueError("max_size should only be passed if size specifies the length of the smaller edge, i.e. size should be an int or a sequence of length 1 in torchscript mode.")
    _, height, width = get_dimensions(img)
    new_height, new_width = _resized(height, width, size, max_size)
    if (new_height, new_width) == (height, width):
        return img
    if _is_picture(img):
        return img.resize((new_width, new_height), pil_modes_mapping[interpolation])
    return _tensors.resize(img, [new_height, new_width], interpolation.value, antialias)


def _padding_of(padding):
    """Left, top, right and bottom."""
    if not isinstance(padding, (numbers.Number, tuple, list)):
        raise TypeError("Got inappropriate padding arg")
    if isinstance(padding, numbers.Number):
        return [padding] * 4
    if len(padding) not in (1, 2, 4):
        raise ValueError(f"Padding must be an int or a 1, 2, or 4 element tuple, not a {len(padding)} element tuple")
    if len(padding) == 1:
        return [padding[0]] * 4
    return list(padding) * 2 if len(padding) == 2 else list(padding)


def pad(img, padding, fill=0, padding_mode="constant"):
    if padding_mode not in ("constant", "edge", "reflect", "symmetric"):
        raise ValueError("Padding mode should be either constant, edge, reflect or symmetric")
    padding = _padding_of(padding)
    if not _is_picture(img):
        return _tensors.pad(img, padding, fill, padding_mode)
    left, top, right, bottom = padding
    if padding_mode == "constant":
        fill = _fill_of(fill, img)
        return ImageOps.expand(img, border=(left, top, right, bottom), fill=fill)
    t = img._pixels()
    planes = t.unsqueeze(0) if t.dim() == 2 else t.permute(2, 0, 1)
    out = _tensors.pad(planes, padding, 0, padding_mode)
    return img._like(out[0] if t.dim() == 2 else out.permute(1, 2, 0).contiguous())


def crop(img, top, left, height, width):
    if _is_picture(img):
        return img.crop((left, top, left + width, top + height))
    return _tensors.crop(img, top, left, height, width)


def center_crop(img, output_size):
    if isinstance(output_size, numbers.Number):
        output_size = (int(output_size), int(output_size))
    elif len(output_size) == 1:
        output_size = (output_size[0], output_size[0])
    _, height, width = get_dimensions(img)
    h, w = output_size
    if w > width or h > height:
        left, top = (w - width) // 2 if w > width else 0, (h - height) // 2 if h > height else 0
        right, bottom = (w - width + 1) // 2 if w > width else 0, (h - height + 1) // 2 if h > height else 0
        img = pad(img, [left, top, right, bottom], fill=0)
        _, height, width = get_dimensions(img)
        if w == width and h == height:
            return img
    return crop(img, int(round((height - h) / 2.0)), int(round((width - w) / 2.0)), h, w)


def resized_crop(
    img, top, left, height, width, size, interpolation=InterpolationMode.BILINEAR, antialias=True
):
    return resize(crop(img, top, left, height, width), size, interpolation, antialias=antialias)


def hflip(img):
    return img.transpose(Image.Transpose.FLIP_LEFT_RIGHT) if _is_picture(img) else img.flip(-1)


def vflip(img):
    return img.transpose(Image.Transpose.FLIP_TOP_BOTTOM) if _is_picture(img) else img.flip(-2)


horizontal_flip, vertical_flip = hflip, vflip


def five_crop(img, size):
    if isinstance(size, numbers.Number):
        size = (int(size), int(size))
    elif len(size) == 1:
        size = (size[0], size[0])
    if len(size) != 2:
        raise ValueError("Please provide only two dimensions (h, w) for size.")
    _, height, width = get_dimensions(img)
    h, w = size
    if w > width or h > height:
        raise ValueError(f"Requested crop size {size} is bigger than input size {(height, width)}")
    corners = [(0, 0), (0, width - w), (height - h, 0), (height - h, width - w)]
    return tuple(crop(img, top, left, h, w) for top, left in corners) + (center_crop(img, [h, w]),)


def ten_crop(img, size, vertical_flip=False):
    first = five_crop(img, size)
    return first + five_crop(vflip(img) if vertical_flip else hflip(img), size)


def _fill_of(fill, img):
    """A colour for a picture, from one number or one for each channel."""
    channels = get_dimensions(img)[0]
    if fill is None:
        fill = 0
    if isinstance(fill, (int, float)) and channels > 1:
        fill = (fill,) * channels
    if isinstance(fill, (list, tuple)):
        if len(fill) == 1:
            fill = tuple(fill) * channels
        if len(fill) != channels:
            raise ValueError(
                "The number of elements in 'fill' does not match the number of channels of the image "
                f"({len(fill)} != {channels})"
            )
        fill = fill[0] if channels == 1 else tuple(fill)
    if img.mode != "F" and not isinstance(fill, str):
        fill = tuple(int(f) for f in fill) if isinstance(fill, tuple) else int(fill)
    return fill


def _inverse_affine_matrix(center, angle, translate, scale, shear):
    turn, sx, sy = math.radians(angle), math.radians(shear[0]), math.radians(shear[1])
    cx, cy = center
    tx, ty = translate
    a = math.cos(turn - sy) / math.cos(sy)
    b = -math.cos(turn - sy) * math.tan(sx) / math.cos(sy) - math.sin(turn)
    c = math.sin(turn - sy) / math.cos(sy)
    d = -math.sin(turn - sy) * math.tan(sx) / math.cos(sy) + math.cos(turn)
    matrix = [x / scale for x in (d, -b, 0.0, -c, a, 0.0)]
    matrix[2] += matrix[0] * (-cx - tx) + matrix[1] * (-cy - ty)
    matrix[5] += matrix[3] * (-cx - tx) + matrix[4] * (-cy - ty)
    matrix[2] += cx
    matrix[5] += cy
    return matrix


def rotate(img, angle, interpolation=InterpolationMode.NEAREST, expand=False, center=None, fill=None):
    interpolation = interpolation_of(interpolation)
    if not isinstance(angle, (int, float)):
        raise TypeError("Argument angle should be int or float")
    if center is not None and not isinstance(center, (list, tuple)):
        raise TypeError("Argument center should be a sequence")
    if _is_picture(img):
        fill = _fill_of(fill, img)
        return img.rotate(angle, pil_modes_mapping[interpolation], expand, center, fillcolor=fill)
    middle = [0.0, 0.0]
    if center is not None:
        _, height, width = get_dimensions(img)
        middle = [1.0 * (c - s * 0.5) for c, s in zip(center, [width, height])]
    matrix = _inverse_affine_matrix(middle, -angle, [0.0, 0.0], 1.0, [0.0, 0.0])
    return _grids.rotate(img, matrix, interpolation.value, expand, fill)


def affine(
    img, angle, translate, scale, shear, interpolation=InterpolationMode.NEAREST, fill=None, center=None
):
    interpolation = interpolation_of(interpolation)
    if not isinstance(angle, (int, float)):
        raise TypeError("Argument angle should be int or float")
    if not isinstance(translate, (list, tuple)):
        raise TypeError("Argument translate should be a sequence")
    if len(translate) != 2:
        raise ValueError("Argument translate should be a sequence of length 2")
    if scale <= 0.0:
        raise ValueError("Argument scale should be positive")
    if not isinstance(shear, (numbers.Number, list, tuple)):
        raise TypeError("Shear should be either a single value or a sequence of two values")
    angle = float(angle)
    if isinstance(shear, numbers.Number):
        shear = [shear, 0.0]
    shear = [shear[0], shear[0]] if len(shear) == 1 else list(shear)
    if len(shear) != 2:
        raise ValueError(f"Shear should be a sequence containing two values. Got {shear}")
    _, height, width = get_dimensions(img)
    if _is_picture(img):
        center = [width * 0.5, height * 0.5] if center is None else center
        matrix = _inverse_affine_matrix(center, angle, translate, scale, shear)
        how, fill = pil_modes_mapping[interpolation], _fill_of(fill, img)
        return img.transform(img.size, Image.Transform.AFFINE, matrix, how, fillcolor=fill)
    middle = [0.0, 0.0]
    if center is not None:
        middle = [1.0 * (c - s * 0.5) for c, s in zip(center, [width, height])]
    matrix = _inverse_affine_matrix(middle, angle, [1.0 * t for t in translate], scale, shear)
    return _grids.affine(img, matrix, interpolation.value, fill)


def _perspective_coefficients(startpoints, endpoints):
    """Of the map from the corners at the end to those at the beginning."""
    if len(startpoints) != 4 or len(endpoints) != 4:
        raise ValueError(
            f"Please provide exactly four corners, got {len(startpoints)} startpoints and {len(endpoints)} endpoints."
        )
    a = torch.zeros(8, 8, dtype=torch.float64)
    for i, (end, start) in enumerate(zip(endpoints, startpoints)):
        a[2 * i] = torch.tensor([end[0], end[1], 1, 0, 0, 0, -start[0] * end[0], -start[0] * end[1]])
        a[2 * i + 1] = torch.tensor([0, 0, 0, end[0], end[1], 1, -start[1] * end[0], -start[1] * end[1]])
    b = torch.tensor(startpoints, dtype=torch.float64).view(8)
    return torch.linalg.solve(a, b).to(torch.float32).tolist()


def perspective(img, startpoints, endpoints, interpolation=InterpolationMode.BILINEAR, fill=None):
    interpolation = interpolation_of(interpolation)
    coefficients = _perspective_coefficients(startpoints, endpoints)
    if _is_picture(img):
        how, fill = pil_modes_mapping[interpolation], _fill_of(fill, img)
        return img.transform(img.size, Image.Transform.PERSPECTIVE, coefficients, how, fillcolor=fill)
    return _grids.perspective(img, coefficients, interpolation.value, fill)


# Colours


def adjust_brightness(img, brightness_factor):
    if _is_picture(img):
        return ImageEnhance.Brightness(img).enhance(brightness_factor)
    return _tensors.adjust_brightness(img, brightness_factor)


def adjust_contrast(img, contrast_factor):
    if _is_picture(img):
        return ImageEnhance.Contrast(img).enhance(contrast_factor)
    return _tensors.adjust_contrast(img, contrast_factor)


def adjust_saturation(img, saturation_factor):
    if _is_picture(img):
        return ImageEnhance.Color(img).enhance(saturation_factor)
    return _tensors.adjust_saturation(img, saturation_factor)


def adjust_sharpness(img, sharpness_factor):
    if _is_picture(img):
        return ImageEnhance.Sharpness(img).enhance(sharpness_factor)
    return _tensors.adjust_sharpness(img, sharpness_factor)


def adjust_hue(img, hue_factor):
    if not -0.5 <= hue_factor <= 0.5:
        raise ValueError(f"hue_factor ({hue_factor}) is not in [-0.5, 0.5].")
    if not _is_picture(img):
        return _tensors.adjust_hue(img, hue_factor)
    if img.mode in ("L", "1", "I", "F"):
        return img
    h, s, v = img.convert("HSV").split()
    moved = (h._pixels().to(torch.int32) + int(hue_factor * 255)) & 255
    return Image.merge("HSV", (Image.of_tensor(moved.to(torch.uint8), "L"), s, v)).convert(img.mode)


def adjust_gamma(img, gamma, gain=1):
    if gamma < 0:
        raise ValueError("Gamma should be a non-negative real number")
    if not _is_picture(img):
        return _tensors.adjust_gamma(img, gamma, gain)
    table = [int((255 + 1 - 1e-3) * gain * pow(i / 255.0, gamma)) for i in range(256)] * 3
    return img.convert("RGB").point(table).convert(img.mode)


def to_grayscale(img, num_output_channels=1):
    if not _is_picture(img):
        raise TypeError("Input should be PIL Image")
    if num_output_channels == 1:
        return img.convert("L")
    if num_output_channels != 3:
        raise ValueError("num_output_channels should be either 1 or 3")
    grey = img.convert("L")._pixels()
    return Image.of_tensor(torch.stack([grey, grey, grey], 2), "RGB")


def rgb_to_grayscale(img, num_output_channels=1):
    if _is_picture(img):
        return to_grayscale(img, num_output_channels)
    return _tensors.grayscale(img, num_output_channels)


def invert(img):
    return ImageOps.invert(img) if _is_picture(img) else _tensors.invert(img)


def posterize(img, bits):
    if not 0 <= bits <= 8:
        raise ValueError(f"The number if bits should be between 0 and 8. Got {bits}")
    return ImageOps.posterize(img, bits) if _is_picture(img) else _tensors.posterize(img, bits)


def solarize(img, threshold):
    return ImageOps.solarize(img, threshold) if _is_picture(img) else _tensors.solarize(img, threshold)


def autocontrast(img):
    return ImageOps.autocontrast(img) if _is_picture(img) else _tensors.autocontrast(img)


def equalize(img):
    return ImageOps.equalize(img) if _is_picture(img) else _tensors.equalize(img)


def gaussian_blur(img, kernel_size, sigma=None):
    sizes = [kernel_size] * 2 if isinstance(kernel_size, int) else list(kernel_size)
    if len(sizes) != 2:
        raise ValueError(f"If kernel_size is a sequence its length should be 2. Got {len(sizes)}")
    for size in sizes:
        if size % 2 == 0 or size < 0:
            raise ValueError(f"kernel_size should have odd and positive integers. Got {sizes}")
    if sigma is None:
        sigma = [size * 0.15 + 0.35 for size in sizes]
    sigma = [float(sigma)] * 2 if isinstance(sigma, (int, float)) else [float(s) for s in sigma]
    if len(sigma) == 1:
        sigma = sigma * 2
    if len(sigma) != 2:
        raise ValueError(f"If sigma is a sequence, its length should be 2. Got {len(sigma)}")
    for s in sigma:
        if s <= 0.0:
            raise ValueError(f"sigma should have positive values. Got {sigma}")
    t = pil_to_tensor(img) if _is_picture(img) else img
    out = _tensors.gaussian_blur(t, sizes, sigma)
    return to_pil_image(out, mode=img.mode) if _is_picture(img) else out


def erase(img, i, j, h, w, v, inplace=False):
    if not isinstance(img, torch.Tensor):
        raise TypeError(f"img should be Tensor Image. Got {type(img)}")
    if not inplace:
        img = img.clone()
    img[..., i : i + h, j : j + w] = v
    return img


def __getattr__(name):
    return _C._missing_name("torchvision.transforms.functional", name)

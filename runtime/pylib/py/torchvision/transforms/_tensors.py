"""Transforms of tensors: channels, rows and columns are the last three dimensions."""

import torch
from torch.nn import functional as F


def _max_value(dtype):
    return {
        torch.uint8: 255, torch.int8: 127, torch.int16: 32767, torch.int32: 2**31 - 1, torch.int64: 2**63 - 1,
    }.get(dtype, 1)


def batched(img, accepted):
    """As a batch of a dtype that is accepted; what was done to it."""
    shape, dtype = img.shape, img.dtype
    batch = img.reshape((-1,) + tuple(shape[-3:])) if img.dim() != 4 else img
    if img.dim() == 2:
        batch = img.reshape(1, 1, *shape)
    return batch if dtype in accepted else batch.to(torch.float32), (shape, dtype)


def unbatched(out, was):
    """Back, with the new rows and columns."""
    shape, dtype = was
    if out.dtype != dtype:
        out = (out.round() if not dtype.is_floating_point else out).to(dtype)
    return out if len(shape) == 4 else out.reshape(tuple(shape[:-3]) + tuple(out.shape[-3 if len(shape) > 2 else -2 :]))


FLOATS = (torch.float32, torch.float64)


def convert_dtype(image, dtype):
    if image.dtype == dtype:
        return image
    if image.is_floating_point():
        if dtype.is_floating_point:
            return image.to(dtype)
        if (image.dtype == torch.float32 and dtype in (torch.int32, torch.int64)) or (
            image.dtype == torch.float64 and dtype == torch.int64
        ):
            raise RuntimeError(f"The cast from {image.dtype} to {dtype} cannot be performed safely.")
        return image.mul(float(_max_value(dtype)) + 1.0 - 1e-3).to(dtype)
    most = float(_max_value(image.dtype))
    if dtype.is_floating_point:
        return image.to(dtype) / most
    wanted = float(_max_value(dtype))
    if most > wanted:
        return torch.div(image, int((most + 1) // (wanted + 1)), rounding_mode="floor").to(dtype)
    return image.to(dtype) * int((wanted + 1) // (most + 1))


def resize(img, size, interpolation, antialias):
    if interpolation not in ("nearest", "nearest-exact", "bilinear", "bicubic"):
        raise ValueError("This interpolation mode is unsupported with Tensor input")
    batch, was = batched(img, FLOATS)
    smooth = interpolation in ("bilinear", "bicubic")
    out = F.interpolate(
        batch, size=size, mode=interpolation, align_corners=False if smooth else None, antialias=smooth and bool(antialias)
    )
    if interpolation == "bicubic" and img.dtype == torch.uint8:
        out = out.clamp(min=0, max=255)
    return unbatched(out, was)


def pad(img, padding, fill, mode):
    left, top, right, bottom = padding
    if mode == "constant" and isinstance(fill, (list, tuple)):
        fill = float(fill[0]) if len(set(fill)) == 1 else fill
    if mode == "constant" and isinstance(fill, (list, tuple)):
        raise ValueError("fill of several values for a tensor is not supported")
    if min(padding) < 0:
        keep = img[..., max(-top, 0) : img.shape[-2] - max(-bottom, 0), max(-left, 0) : img.shape[-1] - max(-right, 0)]
        return pad(keep, [max(p, 0) for p in padding], fill, mode)
    rows, columns = img.shape[-2], img.shape[-1]
    if mode == "constant":
        out = torch.full(img.shape[:-2] + (rows + top + bottom, columns + left + right), fill, dtype=img.dtype)
        out[..., top : top + rows, left : left + columns] = img
        return out
    return img[..., _places(rows, top, bottom, mode), :][..., _places(columns, left, right, mode)]


def _places(n, before, after, mode):
    """Where each row of a padded picture comes from."""
    i = torch.arange(-before, n + after)
    if mode == "edge":
        return i.clamp(0, n - 1)
    if mode == "reflect":
        if max(before, after) >= n:
            raise RuntimeError(
                f"Argument #4: Padding size should be less than the corresponding input dimension, but got: padding "
                f"({before}, {after}) at dimension of {n}"
            )
        i = i.abs()
        return torch.where(i >= n, 2 * (n - 1) - i, i)
    i = i % (2 * n)
    return torch.where(i >= n, 2 * n - 1 - i, i)


def crop(img, top, left, height, width):
    rows, columns = img.shape[-2:]
    right, bottom = left + width, top + height
    if left < 0 or top < 0 or right > columns or bottom > rows:
        padding = [max(-left, 0), max(-top, 0), max(right - columns, 0), max(bottom - rows, 0)]
        inside = img[..., max(top, 0) : bottom, max(left, 0) : right]
        return pad(inside, padding, 0, "constant")
    return img[..., top:bottom, left:right]


def _blend(a, b, ratio):
    ratio = float(ratio)
    return (ratio * a + (1.0 - ratio) * b).clamp(0, _max_value(a.dtype)).to(a.dtype)


def _channels(img, permitted):
    count = 1 if img.dim() == 2 else img.shape[-3]
    if count not in permitted:
        raise TypeError(f"Input image tensor permitted channel values are {list(permitted)}, but found {count}")
    return count


def grayscale(img, num_output_channels=1):
    if img.dim() < 3:
        raise TypeError(f"Input image tensor should have at least 3 dimensions, but found {img.dim()}")
    if num_output_channels not in (1, 3):
        raise ValueError("num_output_channels should be either 1 or 3")
    if _channels(img, (1, 3)) == 3:
        r, g, b = img.unbind(dim=-3)
        img = (0.2989 * r + 0.587 * g + 0.114 * b).to(img.dtype).unsqueeze(dim=-3)
    return img.expand(img.shape[:-3] + (3,) + img.shape[-2:]) if num_output_channels == 3 else img.clone()


def adjust_brightness(img, factor):
    if factor < 0:
        raise ValueError(f"brightness_factor ({factor}) is not non-negative.")
    _channels(img, (1, 3))
    return _blend(img, torch.zeros_like(img), factor)


def adjust_contrast(img, factor):
    if factor < 0:
        raise ValueError(f"contrast_factor ({factor}) is not non-negative.")
    grey = grayscale(img) if _channels(img, (3, 1)) == 3 else img
    dtype = img.dtype if img.is_floating_point() else torch.float32
    return _blend(img, torch.mean(grey.to(dtype), dim=(-3, -2, -1), keepdim=True), factor)


def adjust_saturation(img, factor):
    if factor < 0:
        raise ValueError(f"saturation_factor ({factor}) is not non-negative.")
    return img if _channels(img, (1, 3)) == 1 else _blend(img, grayscale(img), factor)


def adjust_gamma(img, gamma, gain):
    dtype = img.dtype
    x = img if img.is_floating_point() else convert_dtype(img, torch.float32)
    return convert_dtype((gain * x**gamma).clamp(0, 1), dtype)


def adjust_hue(img, factor):
    if _channels(img, (1, 3)) == 1:
        return img
    dtype = img.dtype
    h, s, v = _to_hsv(convert_dtype(img, torch.float32)).unbind(dim=-3)
    return convert_dtype(_of_hsv((h + factor) % 1.0, s, v), dtype)


def _to_hsv(img):
    r, g, b = img.unbind(dim=-3)
    high, low = torch.max(img, dim=-3).values, torch.min(img, dim=-3).values
    grey = high == low
    range_ = high - low
    ones = torch.ones_like(high)
    s = range_ / torch.where(grey, ones, high)
    under = torch.where(grey, ones, range_)
    rc, gc, bc = (high - r) / under, (high - g) / under, (high - b) / under
    h = (high == r) * (bc - gc)
    h = h + ((high == g) & (high != r)) * (2.0 + rc - bc)
    h = h + ((high != g) & (high != r)) * (4.0 + gc - rc)
    return torch.stack((torch.fmod(h / 6.0 + 1.0, 1.0), s, high), dim=-3)


def _of_hsv(h, s, v):
    i = torch.floor(h * 6.0)
    f = h * 6.0 - i
    i = i.to(torch.int32) % 6
    p = torch.clamp(v * (1.0 - s), 0.0, 1.0)
    q = torch.clamp(v * (1.0 - s * f), 0.0, 1.0)
    t = torch.clamp(v * (1.0 - s * (1.0 - f)), 0.0, 1.0)
    bands = ((v, q, p, p, t, v), (t, v, v, q, p, p), (p, p, t, v, v, q))
    out = []
    for values in bands:
        band = values[5]
        for k in range(4, -1, -1):
            band = torch.where(i == k, values[k], band)
        out.append(band)
    return torch.stack(out, dim=-3)


def invert(img):
    return _max_value(img.dtype) - img


def posterize(img, bits):
    if img.dtype != torch.uint8:
        raise TypeError(f"Only torch.uint8 image tensors are supported, but found {img.dtype}")
    _channels(img, (1, 3))
    return img & -int(2 ** (8 - bits)) % 256


def solarize(img, threshold):
    _channels(img, (1, 3))
    if threshold > _max_value(img.dtype):
        raise TypeError("Threshold should be less than bound of img.")
    return torch.where(img >= threshold, invert(img), img)


def adjust_sharpness(img, factor):
    if factor < 0:
        raise ValueError(f"sharpness_factor ({factor}) is not non-negative.")
    _channels(img, (1, 3))
    if img.size(-1) <= 2 or img.size(-2) <= 2:
        return img
    dtype = img.dtype if img.is_floating_point() else torch.float32
    kernel = torch.ones((3, 3), dtype=dtype)
    kernel[1, 1] = 5.0
    kernel /= kernel.sum()
    kernel = kernel.expand(img.shape[-3], 1, 3, 3)
    batch, was = batched(img, (kernel.dtype,))
    smooth = unbatched(F.conv2d(batch, kernel, groups=batch.shape[-3]), was)
    degenerate = img.clone()
    degenerate[..., 1:-1, 1:-1] = smooth
    return _blend(img, degenerate, factor)


def autocontrast(img):
    _channels(img, (1, 3))
    bound = _max_value(img.dtype)
    dtype = img.dtype if img.is_floating_point() else torch.float32
    low, high = img.amin(dim=(-2, -1), keepdim=True).to(dtype), img.amax(dim=(-2, -1), keepdim=True).to(dtype)
    scale = bound / (high - low)
    flat = torch.isfinite(scale).logical_not()
    low = torch.where(flat, torch.zeros_like(low), low)
    scale = torch.where(flat, torch.ones_like(scale), scale)
    return ((img - low) * scale).clamp(0, bound).to(img.dtype)


def equalize(img):
    if img.dtype != torch.uint8:
        raise TypeError(f"Only torch.uint8 image tensors are supported, but found {img.dtype}")
    _channels(img, (1, 3))
    planes = img.reshape((-1,) + tuple(img.shape[-2:]))
    return torch.stack([_equalized(p) for p in planes]).reshape(img.shape)


def _equalized(plane):
    counts = torch.bincount(plane.reshape(-1).to(torch.int64), minlength=256)
    there = counts[counts != 0]
    step = torch.div(there[:-1].sum(), 255, rounding_mode="floor")
    if step == 0:
        return plane
    table = torch.div(counts.cumsum(0) + torch.div(step, 2, rounding_mode="floor"), step, rounding_mode="floor")
    table = F.pad(table, [1, 0])[:-1].clamp(0, 255)
    return table[plane.to(torch.int64)].to(torch.uint8)


def _gaussian(size, sigma, dtype):
    half = (size - 1) * 0.5
    x = torch.linspace(-half, half, steps=size, dtype=dtype)
    pdf = torch.exp(-0.5 * (x / sigma).pow(2))
    return pdf / pdf.sum()


def gaussian_blur(img, sizes, sigma):
    dtype = img.dtype if img.is_floating_point() else torch.float32
    across, along = _gaussian(sizes[0], sigma[0], dtype), _gaussian(sizes[1], sigma[1], dtype)
    kernel = torch.mm(along[:, None], across[None, :]).expand(img.shape[-3], 1, sizes[1], sizes[0])
    batch, was = batched(img, (dtype,))
    x, y = sizes[0] // 2, sizes[1] // 2
    batch = F.pad(batch, [x, x, y, y], mode="reflect")
    return unbatched(F.conv2d(batch, kernel, groups=batch.shape[-3]), was)

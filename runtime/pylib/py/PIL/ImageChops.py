"""Arithmetic on two pictures of one size and mode."""

import torch

from PIL import Image


def _apply(image1, image2, f):
    if image1.mode != image2.mode:
        raise ValueError("images do not match")
    a, b = image1._pixels(), image2._pixels()
    h, w = min(a.shape[0], b.shape[0]), min(a.shape[1], b.shape[1])
    a, b = a[:h, :w].to(torch.int64), b[:h, :w].to(torch.int64)
    return Image.of_tensor(f(a, b).clamp(0, 255).to(torch.uint8), image1.mode)


def _part(product):
    """Of a product of two bytes, what is above 255, rounded as Pillow does."""
    t = product + 128
    return ((t >> 8) + t) >> 8


def invert(image):
    return Image.of_tensor(255 - image._pixels(), image.mode)


def duplicate(image):
    return image.copy()


def constant(image, value):
    return Image.new("L", image.size, value)


def lighter(image1, image2):
    return _apply(image1, image2, torch.maximum)


def darker(image1, image2):
    return _apply(image1, image2, torch.minimum)


def difference(image1, image2):
    return _apply(image1, image2, lambda a, b: (a - b).abs())


def multiply(image1, image2):
    return _apply(image1, image2, lambda a, b: a * b // 255)


def screen(image1, image2):
    return _apply(image1, image2, lambda a, b: 255 - (255 - a) * (255 - b) // 255)


def add(image1, image2, scale=1.0, offset=0):
    return _apply(image1, image2, lambda a, b: ((a + b) / scale + offset).to(torch.int64))


def subtract(image1, image2, scale=1.0, offset=0):
    return _apply(image1, image2, lambda a, b: ((a - b) / scale + offset).to(torch.int64))


def add_modulo(image1, image2):
    return _apply(image1, image2, lambda a, b: (a + b) & 255)


def subtract_modulo(image1, image2):
    return _apply(image1, image2, lambda a, b: (a - b) & 255)


def logical_and(image1, image2):
    return _apply(image1, image2, lambda a, b: ((a != 0) & (b != 0)).to(torch.int64) * 255)


def logical_or(image1, image2):
    return _apply(image1, image2, lambda a, b: ((a != 0) | (b != 0)).to(torch.int64) * 255)


def logical_xor(image1, image2):
    return _apply(image1, image2, lambda a, b: ((a != 0) ^ (b != 0)).to(torch.int64) * 255)


def blend(image1, image2, alpha):
    return Image.blend(image1, image2, alpha)


def composite(image1, image2, mask):
    return Image.composite(image1, image2, mask)


def offset(image, xoffset, yoffset=None):
    yoffset = xoffset if yoffset is None else yoffset
    return image._like(image._pixels().roll((yoffset, xoffset), (0, 1)))

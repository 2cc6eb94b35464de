"""Filters for `Image.filter`."""

import torch

from PIL import _imaging
from PIL._util import missing


class Filter:
    """Makes pixels of pixels."""


class MultibandFilter(Filter):
    """One for pictures of several bands."""


class Kernel(MultibandFilter):
    name = "Kernel"

    def __init__(self, size, kernel, scale=None, offset=0):
        if scale is None:
            scale = sum(kernel)
        if size[0] * size[1] != len(kernel):
            raise ValueError("not enough coefficients in kernel")
        self.filterargs = size, scale, offset, kernel

    def filter(self, t):
        size, scale, offset, kernel = self.filterargs
        if t.dtype != torch.uint8:
            raise ValueError("image has wrong mode")
        # In the precision of the division.
        weights = torch.tensor(kernel, dtype=torch.float32) / torch.tensor(scale, dtype=torch.float32)
        if tuple(size) not in ((3, 3), (5, 5)):
            raise ValueError("bad kernel size")
        return _imaging.kernel(t, tuple(weights.tolist()), float(offset))


class BuiltinFilter(Kernel):
    def __init__(self):
        size, scale, offset, kernel = self.filterargs
        super().__init__(size, kernel, scale, offset)


class BLUR(BuiltinFilter):
    name = "Blur"
    filterargs = (5, 5), 16, 0, (1,) * 6 + (0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1) + (1,) * 5


class CONTOUR(BuiltinFilter):
    name = "Contour"
    filterargs = (3, 3), 1, 255, (-1, -1, -1, -1, 8, -1, -1, -1, -1)


class DETAIL(BuiltinFilter):
    name = "Detail"
    filterargs = (3, 3), 6, 0, (0, -1, 0, -1, 10, -1, 0, -1, 0)


class EDGE_ENHANCE(BuiltinFilter):
    name = "Edge-enhance"
    filterargs = (3, 3), 2, 0, (-1, -1, -1, -1, 10, -1, -1, -1, -1)


class EDGE_ENHANCE_MORE(BuiltinFilter):
    name = "Edge-enhance More"
    filterargs = (3, 3), 1, 0, (-1, -1, -1, -1, 9, -1, -1, -1, -1)


class EMBOSS(BuiltinFilter):
    name = "Emboss"
    filterargs = (3, 3), 1, 128, (-1, 0, 0, 0, 1, 0, 0, 0, 0)


class FIND_EDGES(BuiltinFilter):
    name = "Find Edges"
    filterargs = (3, 3), 1, 0, (-1, -1, -1, -1, 8, -1, -1, -1, -1)


class SHARPEN(BuiltinFilter):
    name = "Sharpen"
    filterargs = (3, 3), 16, 0, (-2, -2, -2, -2, 32, -2, -2, -2, -2)


class SMOOTH(BuiltinFilter):
    name = "Smooth"
    filterargs = (3, 3), 13, 0, (1, 1, 1, 1, 5, 1, 1, 1, 1)


class SMOOTH_MORE(BuiltinFilter):
    name = "Smooth More"
    filterargs = (5, 5), 100, 0, (1,) * 6 + (5, 5, 5, 1, 1, 5, 44, 5, 1, 1, 5, 5, 5) + (1,) * 6


def _pair(radius):
    x, y = (float(r) for r in (radius if isinstance(radius, (tuple, list)) else (radius, radius)))
    if x < 0 or y < 0:
        raise ValueError("radius must be >= 0")
    return x, y


class GaussianBlur(MultibandFilter):
    name = "GaussianBlur"

    def __init__(self, radius=2):
        self.radius = radius

    def filter(self, t):
        x, y = _pair(self.radius)
        return t.clone() if x == y == 0 else _imaging.gaussian_blur(t, x, y)


class BoxBlur(MultibandFilter):
    name = "BoxBlur"

    def __init__(self, radius):
        _pair(radius)
        self.radius = radius

    def filter(self, t):
        x, y = _pair(self.radius)
        return t.clone() if x == y == 0 else _imaging.box_blur(t, x, y, 1)


class UnsharpMask(MultibandFilter):
    name = "UnsharpMask"

    def __init__(self, radius=2, percent=150, threshold=3):
        self.radius = radius
        self.percent = percent
        self.threshold = threshold

    def filter(self, t):
        return _imaging.unsharp_mask(t, float(self.radius), self.percent, self.threshold)


class RankFilter(Filter):
    name = "Rank"

    def __init__(self, size, rank):
        self.size = size
        self.rank = rank

    def filter(self, t):
        return _imaging.rank(t, self.size, self.rank)


class MedianFilter(RankFilter):
    name = "Median"

    def __init__(self, size=3):
        super().__init__(size, size * size // 2)


class MinFilter(RankFilter):
    name = "Min"

    def __init__(self, size=3):
        super().__init__(size, 0)


class MaxFilter(RankFilter):
    name = "Max"

    def __init__(self, size=3):
        super().__init__(size, size * size - 1)


def __getattr__(name):
    if name in ("ModeFilter", "Color3DLUT"):
        raise missing(f"ImageFilter.{name}")
    raise AttributeError(f"module 'PIL.ImageFilter' has no attribute '{name}'")

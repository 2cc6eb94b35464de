"""Transforms that move pixels."""

import math
import numbers
from collections.abc import Sequence

import torch

from torchvision.transforms import functional as F
from torchvision.transforms._base import (
    Drawing, angles, check_sequence, logarithms, proportion, size_of, uniform,
)
from torchvision.transforms.functional import InterpolationMode


class Resize(Drawing):
    def __init__(self, size, interpolation=InterpolationMode.BILINEAR, max_size=None, antialias=True):
        super().__init__()
        if not isinstance(size, (int, Sequence)):
            raise TypeError(f"Size should be int or sequence. Got {type(size)}")
        if not isinstance(size, int) and len(size) not in (1, 2):
            raise ValueError("If size is a sequence, it should have 1 or 2 values")
        self.size = size
        self.max_size = max_size
        self.interpolation = F.interpolation_of(interpolation)
        self.antialias = antialias

    def apply_to(self, img, drawn):
        return F.resize(img, self.size, self.interpolation, self.max_size, self.antialias)

    def __repr__(self):
        detail = (
            f"(size={self.size}, interpolation={self.interpolation.value}, max_size={self.max_size}, "
            f"antialias={self.antialias})"
        )
        return f"{self.__class__.__name__}{detail}"


class CenterCrop(Drawing):
    def __init__(self, size):
        super().__init__()
        self.size = size_of(size)

    def apply_to(self, img, drawn):
        return F.center_crop(img, self.size)

    def __repr__(self):
        return f"{self.__class__.__name__}(size={self.size})"


class Pad(Drawing):
    def __init__(self, padding, fill=0, padding_mode="constant"):
        super().__init__()
        if not isinstance(padding, (numbers.Number, tuple, list)):
            raise TypeError("Got inappropriate padding arg")
        if not isinstance(fill, (numbers.Number, str, tuple, list)):
            raise TypeError("Got inappropriate fill arg")
        if padding_mode not in ("constant", "edge", "reflect", "symmetric"):
            raise ValueError("Padding mode should be either constant, edge, reflect or symmetric")
        if isinstance(padding, (tuple, list)) and len(padding) not in (1, 2, 4):
            raise ValueError(
                f"Padding must be an int or a 1, 2, or 4 element tuple, not a {len(padding)} element tuple"
            )
        self.padding = padding
        self.fill = fill
        self.padding_mode = padding_mode

    def apply_to(self, img, drawn):
        return F.pad(img, self.padding, self.fill, self.padding_mode)

    def __repr__(self):
        return f"{self.__class__.__name__}(padding={self.padding}, fill={self.fill}, padding_mode={self.padding_mode})"


class RandomCrop(Drawing):
    @staticmethod
    def get_params(img, output_size):
        _, h, w = F.get_dimensions(img)
        th, tw = output_size
        if h < th or w < tw:
            raise ValueError(f"Required crop size {(th, tw)} is larger than input image size {(h, w)}")
        if w == tw and h == th:
            return 0, 0, h, w
        i = torch.randint(0, h - th + 1, size=(1,)).item()
        j = torch.randint(0, w - tw + 1, size=(1,)).item()
        return i, j, th, tw

    def __init__(self, size, padding=None, pad_if_needed=False, fill=0, padding_mode="constant"):
        super().__init__()
        self.size = tuple(size_of(size))
        self.padding = padding
        self.pad_if_needed = pad_if_needed
        self.fill = fill
        self.padding_mode = padding_mode

    def _padded(self, img):
        if self.padding is not None:
            img = F.pad(img, self.padding, self.fill, self.padding_mode)
        if self.pad_if_needed:
            _, height, width = F.get_dimensions(img)
            if width < self.size[1]:
                img = F.pad(img, [self.size[1] - width, 0], self.fill, self.padding_mode)
            if height < self.size[0]:
                img = F.pad(img, [0, self.size[0] - height], self.fill, self.padding_mode)
        return img

    def forward(self, img):
        img = self._padded(img)
        return F.crop(img, *self.get_params(img, self.size))

    def draw(self, img):
        return self.get_params(self._padded(img), self.size)

    def apply_to(self, img, drawn):
        return F.crop(self._padded(img), *drawn)

    def __repr__(self):
        return f"{self.__class__.__name__}(size={self.size}, padding={self.padding})"


class _Flip(Drawing):
    def __init__(self, p=0.5):
        super().__init__()
        self.p = p

    def draw(self, img):
        return () if torch.rand(1) < self.p else None

    def __repr__(self):
        return f"{self.__class__.__name__}(p={self.p})"


class RandomHorizontalFlip(_Flip):
    def apply_to(self, img, drawn):
        return F.hflip(img)


class RandomVerticalFlip(_Flip):
    def apply_to(self, img, drawn):
        return F.vflip(img)


class RandomResizedCrop(Drawing):
    def __init__(
        self, size, scale=(0.08, 1.0), ratio=(3.0 / 4.0, 4.0 / 3.0), interpolation=InterpolationMode.BILINEAR,
        antialias=True,
    ):
        super().__init__()
        self.size = size_of(size)
        if not isinstance(scale, (list, tuple)):
            raise TypeError("Scale should be a sequence")
        if not isinstance(ratio, (list, tuple)):
            raise TypeError("Ratio should be a sequence")
        self.scale = scale
        self.ratio = ratio
        self.interpolation = F.interpolation_of(interpolation)
        self.antialias = antialias

    @staticmethod
    def get_params(img, scale, ratio):
        _, height, width = F.get_dimensions(img)
        area = height * width
        low, high = logarithms(ratio)
        for _ in range(10):
            target = area * uniform(scale[0], scale[1])
            aspect = proportion(low, high)
            w = int(round(math.sqrt(target * aspect)))
            h = int(round(math.sqrt(target / aspect)))
            if 0 < w <= width and 0 < h <= height:
                i = torch.randint(0, height - h + 1, size=(1,)).item()
                j = torch.randint(0, width - w + 1, size=(1,)).item()
                return i, j, h, w
        # None fits: the middle, in the nearest proportion.
        given = float(width) / float(height)
        w, h = width, height
        if given < min(ratio):
            h = int(round(w / min(ratio)))
        elif given > max(ratio):
            w = int(round(h * max(ratio)))
        return (height - h) // 2, (width - w) // 2, h, w

    def draw(self, img):
        return self.get_params(img, self.scale, self.ratio)

    def apply_to(self, img, drawn):
        return F.resized_crop(img, *drawn, self.size, self.interpolation, antialias=self.antialias)

    def __repr__(self):
        return (
            f"{self.__class__.__name__}(size={self.size}, scale={tuple(round(s, 4) for s in self.scale)}, "
            f"ratio={tuple(round(r, 4) for r in self.ratio)}, interpolation={self.interpolation.value}, "
            f"antialias={self.antialias})"
        )


class RandomRotation(Drawing):
    def __init__(self, degrees, interpolation=InterpolationMode.NEAREST, expand=False, center=None, fill=0):
        super().__init__()
        self.degrees = angles(degrees, "degrees")
        self.interpolation = F.interpolation_of(interpolation)
        self.expand = expand
        if center is not None:
            check_sequence(center, "center", (2,))
        self.center = center
        self.fill = 0 if fill is None else fill

    @staticmethod
    def get_params(degrees):
        return float(uniform(float(degrees[0]), float(degrees[1])))

    def draw(self, img):
        return self.get_params(self.degrees)

    def apply_to(self, img, drawn):
        fill = self.fill
        if isinstance(img, torch.Tensor):
            channels = F.get_dimensions(img)[0]
            fill = [float(fill)] * channels if isinstance(fill, (int, float)) else [float(f) for f in fill]
        return F.rotate(img, drawn, self.interpolation, self.expand, self.center, fill)

    def __repr__(self):
        parts = f"(degrees={self.degrees}, interpolation={self.interpolation.value}, expand={self.expand}"
        if self.center is not None:
            parts += f", center={self.center}"
        if self.fill is not None:
            parts += f", fill={self.fill}"
        return self.__class__.__name__ + parts + ")"


class RandomAffine(Drawing):
    def __init__(
        self, degrees, translate=None, scale=None, shear=None, interpolation=InterpolationMode.NEAREST, fill=0,
        center=None,
    ):
        super().__init__()
        self.degrees = angles(degrees, "degrees")
        if translate is not None:
            check_sequence(translate, "translate", (2,))
            if not all(0.0 <= t <= 1.0 for t in translate):
                raise ValueError("translation values should be between 0 and 1")
        self.translate = translate
        if scale is not None:
            check_sequence(scale, "scale", (2,))
            if not all(s > 0 for s in scale):
                raise ValueError("scale values should be positive")
        self.scale = scale
        self.shear = None if shear is None else angles(shear, "shear", (2, 4))
        self.interpolation = F.interpolation_of(interpolation)
        self.fill = 0 if fill is None else fill
        self.center = center

    @staticmethod
    def get_params(degrees, translate, scale_ranges, shears, img_size):
        angle = float(uniform(float(degrees[0]), float(degrees[1])))
        moved = (0, 0)
        if translate is not None:
            most_x, most_y = float(translate[0] * img_size[0]), float(translate[1] * img_size[1])
            x = int(round(uniform(-most_x, most_x)))
            moved = (x, int(round(uniform(-most_y, most_y))))
        scale = 1.0 if scale_ranges is None else float(uniform(scale_ranges[0], scale_ranges[1]))
        x = y = 0.0
        if shears is not None:
            x = float(uniform(shears[0], shears[1]))
            if len(shears) == 4:
                y = float(uniform(shears[2], shears[3]))
        return angle, moved, scale, (x, y)

    def draw(self, img):
        _, height, width = F.get_dimensions(img)
        return self.get_params(self.degrees, self.translate, self.scale, self.shear, [width, height])

    def apply_to(self, img, drawn):
        fill = self.fill
        if isinstance(img, torch.Tensor):
            channels = F.get_dimensions(img)[0]
            fill = [float(fill)] * channels if isinstance(fill, (int, float)) else [float(f) for f in fill]
        return F.affine(img, *drawn, interpolation=self.interpolation, fill=fill, center=self.center)

    def __repr__(self):
        parts = [f"degrees={self.degrees}"]
        for name in ("translate", "scale", "shear"):
            if getattr(self, name) is not None:
                parts.append(f"{name}={getattr(self, name)}")
        if self.interpolation != InterpolationMode.NEAREST:
            parts.append(f"interpolation={self.interpolation.value}")
        if self.fill != 0:
            parts.append(f"fill={self.fill}")
        if self.center is not None:
            parts.append(f"center={self.center}")
        return f"{self.__class__.__name__}({', '.join(parts)})"


class RandomPerspective(Drawing):
    def __init__(self, distortion_scale=0.5, p=0.5, interpolation=InterpolationMode.BILINEAR, fill=0):
        super().__init__()
        self.p = p
        self.distortion_scale = distortion_scale
        self.interpolation = F.interpolation_of(interpolation)
        self.fill = 0 if fill is None else fill

    @staticmethod
    def get_params(width, height, distortion_scale):
        half_height, half_width = height // 2, width // 2
        x, y = int(distortion_scale * half_width) + 1, int(distortion_scale * half_height) + 1

        def pick(low, high):
            return int(torch.randint(low, high, size=(1,)).item())

        ends = [
            [pick(0, x), pick(0, y)],
            [pick(width - x, width), pick(0, y)],
            [pick(width - x, width), pick(height - y, height)],
            [pick(0, x), pick(height - y, height)],
        ]
        return [[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]], ends

    def draw(self, img):
        if not torch.rand(1) < self.p:
            return None
        _, height, width = F.get_dimensions(img)
        return self.get_params(width, height, self.distortion_scale)

    def apply_to(self, img, drawn):
        fill = self.fill
        if isinstance(img, torch.Tensor):
            channels = F.get_dimensions(img)[0]
            fill = [float(fill)] * channels if isinstance(fill, (int, float)) else [float(f) for f in fill]
        return F.perspective(img, *drawn, self.interpolation, fill)

    def __repr__(self):
        return f"{self.__class__.__name__}(p={self.p})"


class FiveCrop(Drawing):
    def __init__(self, size):
        super().__init__()
        self.size = size_of(size)

    def apply_to(self, img, drawn):
        return F.five_crop(img, self.size)

    def __repr__(self):
        return f"{self.__class__.__name__}(size={self.size})"


class TenCrop(Drawing):
    def __init__(self, size, vertical_flip=False):
        super().__init__()
        self.size = size_of(size)
        self.vertical_flip = vertical_flip

    def apply_to(self, img, drawn):
        return F.ten_crop(img, self.size, self.vertical_flip)

    def __repr__(self):
        return f"{self.__class__.__name__}(size={self.size}, vertical_flip={self.vertical_flip})"

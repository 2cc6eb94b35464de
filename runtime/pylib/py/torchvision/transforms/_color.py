"""Transforms of colours, sharpness, and what is there at all."""

import math
import numbers

import torch

from torchvision.transforms import functional as F
from torchvision.transforms._base import Drawing, logarithms, proportion, size_of, uniform


class Grayscale(Drawing):
    def __init__(self, num_output_channels=1):
        super().__init__()
        self.num_output_channels = num_output_channels

    def apply_to(self, img, drawn):
        return F.rgb_to_grayscale(img, num_output_channels=self.num_output_channels)

    def __repr__(self):
        return f"{self.__class__.__name__}(num_output_channels={self.num_output_channels})"


class _Sometimes(Drawing):
    def __init__(self, p):
        super().__init__()
        self.p = p

    def draw(self, img):
        return () if torch.rand(1).item() < self.p else None


class RandomGrayscale(_Sometimes):
    def __init__(self, p=0.1):
        super().__init__(p)

    def apply_to(self, img, drawn):
        return F.rgb_to_grayscale(img, num_output_channels=F.get_dimensions(img)[0])

    def __repr__(self):
        return f"{self.__class__.__name__}(p={self.p})"


class RandomInvert(_Sometimes):
    def __init__(self, p=0.5):
        super().__init__(p)

    def apply_to(self, img, drawn):
        return F.invert(img)

    def __repr__(self):
        return f"{self.__class__.__name__}(p={self.p})"


class RandomPosterize(_Sometimes):
    def __init__(self, bits, p=0.5):
        super().__init__(p)
        self.bits = bits

    def apply_to(self, img, drawn):
        return F.posterize(img, self.bits)

    def __repr__(self):
        return f"{self.__class__.__name__}(bits={self.bits},p={self.p})"


class RandomSolarize(_Sometimes):
    def __init__(self, threshold, p=0.5):
        super().__init__(p)
        self.threshold = threshold

    def apply_to(self, img, drawn):
        return F.solarize(img, self.threshold)

    def __repr__(self):
        return f"{self.__class__.__name__}(threshold={self.threshold},p={self.p})"


class RandomAdjustSharpness(_Sometimes):
    def __init__(self, sharpness_factor, p=0.5):
        super().__init__(p)
        self.sharpness_factor = sharpness_factor

    def apply_to(self, img, drawn):
        return F.adjust_sharpness(img, self.sharpness_factor)

    def __repr__(self):
        return f"{self.__class__.__name__}(sharpness_factor={self.sharpness_factor},p={self.p})"


class RandomAutocontrast(_Sometimes):
    def __init__(self, p=0.5):
        super().__init__(p)

    def apply_to(self, img, drawn):
        return F.autocontrast(img)

    def __repr__(self):
        return f"{self.__class__.__name__}(p={self.p})"


class RandomEqualize(_Sometimes):
    def __init__(self, p=0.5):
        super().__init__(p)

    def apply_to(self, img, drawn):
        return F.equalize(img)

    def __repr__(self):
        return f"{self.__class__.__name__}(p={self.p})"


class ColorJitter(Drawing):
    def __init__(self, brightness=0, contrast=0, saturation=0, hue=0):
        super().__init__()
        self.brightness = self._range(brightness, "brightness")
        self.contrast = self._range(contrast, "contrast")
        self.saturation = self._range(saturation, "saturation")
        self.hue = self._range(hue, "hue", 0, (-0.5, 0.5), False)

    @staticmethod
    def _range(value, name, center=1, bound=(0, float("inf")), clip_first=True):
        if isinstance(value, numbers.Number):
            if value < 0:
                raise ValueError(f"If {name} is a single number, it must be non negative.")
            value = [center - float(value), center + float(value)]
            if clip_first:
                value[0] = max(value[0], 0.0)
        elif isinstance(value, (tuple, list)) and len(value) == 2:
            value = [float(value[0]), float(value[1])]
        else:
            raise TypeError(f"{name} should be a single number or a list/tuple with length 2.")
        if not bound[0] <= value[0] <= value[1] <= bound[1]:
            raise ValueError(f"{name} values should be between {bound}, but got {value}.")
        return None if value[0] == value[1] == center else tuple(value)

    @staticmethod
    def get_params(brightness, contrast, saturation, hue):
        order = torch.randperm(4)
        ranges = (brightness, contrast, saturation, hue)
        b, c, s, h = (None if r is None else float(uniform(r[0], r[1])) for r in ranges)
        return order, b, c, s, h

    def draw(self, img):
        return self.get_params(self.brightness, self.contrast, self.saturation, self.hue)

    def apply_to(self, img, drawn):
        order, b, c, s, h = drawn
        for i in order.tolist():
            if i == 0 and b is not None:
                img = F.adjust_brightness(img, b)
            elif i == 1 and c is not None:
                img = F.adjust_contrast(img, c)
            elif i == 2 and s is not None:
                img = F.adjust_saturation(img, s)
            elif i == 3 and h is not None:
                img = F.adjust_hue(img, h)
        return img

    def __repr__(self):
        return (
            f"{self.__class__.__name__}(brightness={self.brightness}, contrast={self.contrast}"
            f", saturation={self.saturation}, hue={self.hue})"
        )


class GaussianBlur(Drawing):
    def __init__(self, kernel_size, sigma=(0.1, 2.0)):
        super().__init__()
        self.kernel_size = size_of(kernel_size, "Kernel size should be a tuple/list of two integers")
        for ks in self.kernel_size:
            if ks <= 0 or ks % 2 == 0:
                raise ValueError("Kernel size value should be an odd and positive number.")
        if isinstance(sigma, numbers.Number):
            if sigma <= 0:
                raise ValueError("If sigma is a single number, it must be positive.")
            sigma = (sigma, sigma)
        elif len(sigma) != 2:
            raise ValueError("sigma should be a single number or a list/tuple with length 2.")
        elif not 0.0 < sigma[0] <= sigma[1]:
            raise ValueError(f"sigma values should be positive and of the form (min, max). Got {sigma}")
        self.sigma = sigma

    @staticmethod
    def get_params(sigma_min, sigma_max):
        return uniform(sigma_min, sigma_max)

    def draw(self, img):
        return self.get_params(self.sigma[0], self.sigma[1])

    def apply_to(self, img, drawn):
        return F.gaussian_blur(img, self.kernel_size, [drawn, drawn])

    def __repr__(self):
        return f"{self.__class__.__name__}(kernel_size={self.kernel_size}, sigma={self.sigma})"


class RandomErasing(Drawing):
    def __init__(self, p=0.5, scale=(0.02, 0.33), ratio=(0.3, 3.3), value=0, inplace=False):
        super().__init__()
        if not isinstance(value, (numbers.Number, str, tuple, list)):
            raise TypeError("Argument value should be either a number or str or a sequence")
        if isinstance(value, str) and value != "random":
            raise ValueError("If value is str, it should be 'random'")
        if not isinstance(scale, (tuple, list)):
            raise TypeError("Scale should be a sequence")
        if not isinstance(ratio, (tuple, list)):
            raise TypeError("Ratio should be a sequence")
        if scale[0] < 0 or scale[1] > 1:
            raise ValueError("Scale should be between 0 and 1")
        if p < 0 or p > 1:
            raise ValueError("Random erasing probability should be between 0 and 1")
        self.p = p
        self.scale = scale
        self.ratio = ratio
        self.value = value
        self.inplace = inplace

    @staticmethod
    def get_params(img, scale, ratio, value=None):
        channels, height, width = F.get_dimensions(img)
        area = height * width
        low, high = logarithms(ratio)
        for _ in range(10):
            erased = area * uniform(scale[0], scale[1])
            aspect = proportion(low, high)
            h, w = int(round(math.sqrt(erased * aspect))), int(round(math.sqrt(erased / aspect)))
            if not (h < height and w < width):
                continue
            if value is None:
                v = torch.empty([channels, h, w], dtype=torch.float32).normal_()
            else:
                v = torch.tensor(value)[:, None, None]
            i = torch.randint(0, height - h + 1, size=(1,)).item()
            j = torch.randint(0, width - w + 1, size=(1,)).item()
            return i, j, h, w, v
        return 0, 0, height, width, img

    def draw(self, img):
        if not torch.rand(1) < self.p:
            return None
        value = self.value
        if isinstance(value, (int, float)):
            value = [float(value)]
        elif isinstance(value, str):
            value = None
        else:
            value = [float(v) for v in value]
        channels = F.get_dimensions(img)[0]
        if value is not None and len(value) not in (1, channels):
            raise ValueError(
                "If value is a sequence, it should have either a single value or "
                f"{channels} (number of input channels)"
            )
        return self.get_params(img, self.scale, self.ratio, value)

    def apply_to(self, img, drawn):
        return F.erase(img, *drawn, self.inplace)

    def __repr__(self):
        return (
            f"{self.__class__.__name__}(p={self.p}, scale={self.scale}, ratio={self.ratio}, value={self.value}, "
            f"inplace={self.inplace})"
        )

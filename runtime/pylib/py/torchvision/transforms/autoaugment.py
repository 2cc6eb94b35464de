"""Policies of random transforms."""

import math

import torch
from torch import _C

from torchvision.transforms import functional as F
from torchvision.transforms.functional import InterpolationMode


def _applied(img, name, magnitude, interpolation, fill):
    """One operation of a policy."""
    if name == "ShearX":
        return F.affine(
            img, 0.0, [0, 0], 1.0, [_degrees(magnitude), 0.0], interpolation, fill, center=[0, 0]
        )
    if name == "ShearY":
        return F.affine(
            img, 0.0, [0, 0], 1.0, [0.0, _degrees(magnitude)], interpolation, fill, center=[0, 0]
        )
    if name == "TranslateX":
        return F.affine(img, 0.0, [int(magnitude), 0], 1.0, [0.0, 0.0], interpolation, fill)
    if name == "TranslateY":
        return F.affine(img, 0.0, [0, int(magnitude)], 1.0, [0.0, 0.0], interpolation, fill)
    if name == "Rotate":
        return F.rotate(img, magnitude, interpolation=interpolation, fill=fill)
    if name == "Brightness":
        return F.adjust_brightness(img, 1.0 + magnitude)
    if name == "Color":
        return F.adjust_saturation(img, 1.0 + magnitude)
    if name == "Contrast":
        return F.adjust_contrast(img, 1.0 + magnitude)
    if name == "Sharpness":
        return F.adjust_sharpness(img, 1.0 + magnitude)
    if name == "Posterize":
        return F.posterize(img, int(magnitude))
    if name == "Solarize":
        return F.solarize(img, magnitude)
    if name == "AutoContrast":
        return F.autocontrast(img)
    if name == "Equalize":
        return F.equalize(img)
    if name == "Invert":
        return F.invert(img)
    if name == "Identity":
        return img
    raise ValueError(f"The provided operator {name} is not recognized.")


def _degrees(slope):
    return math.degrees(math.atan(slope))


def _space(bins, size, wide):
    """Each operation's magnitudes, and whether they have a sign."""
    height, width = size
    linspace = torch.linspace
    shear, turn, tone = (0.99, 135.0, 0.99) if wide else (0.3, 30.0, 0.9)
    move_x = 32.0 if wide else 150.0 / 331.0 * width
    move_y = 32.0 if wide else 150.0 / 331.0 * height
    none = torch.tensor(0.0)
    space = {
        "Identity": (none, False),
        "ShearX": (linspace(0.0, shear, bins), True),
        "ShearY": (linspace(0.0, shear, bins), True),
        "TranslateX": (linspace(0.0, move_x, bins), True),
        "TranslateY": (linspace(0.0, move_y, bins), True),
        "Rotate": (linspace(0.0, turn, bins), True),
        "Brightness": (linspace(0.0, tone, bins), True),
        "Color": (linspace(0.0, tone, bins), True),
        "Contrast": (linspace(0.0, tone, bins), True),
        "Sharpness": (linspace(0.0, tone, bins), True),
    }
    step = (bins - 1) / (6 if wide else 4)
    space["Posterize"] = (8 - (torch.arange(bins) / step).round().int(), False)
    space["Solarize"] = (linspace(255.0, 0.0, bins), False)
    space["AutoContrast"] = (none, False)
    space["Equalize"] = (none, False)
    return space


class _Policy(torch.nn.Module):
    def _fill_for(self, img):
        channels = F.get_dimensions(img)[0]
        fill = self.fill
        if isinstance(img, torch.Tensor):
            if isinstance(fill, (int, float)):
                return [float(fill)] * channels
            if fill is not None:
                return [float(f) for f in fill]
        return fill


class RandAugment(_Policy):
    def __init__(
        self, num_ops=2, magnitude=9, num_magnitude_bins=31, interpolation=InterpolationMode.NEAREST, fill=None
    ):
        super().__init__()
        self.num_ops = num_ops
        self.magnitude = magnitude
        self.num_magnitude_bins = num_magnitude_bins
        self.interpolation = interpolation
        self.fill = fill

    def forward(self, img):
        fill = self._fill_for(img)
        _, height, width = F.get_dimensions(img)
        space = _space(self.num_magnitude_bins, (height, width), False)
        for _ in range(self.num_ops):
            name = list(space)[int(torch.randint(len(space), (1,)).item())]
            magnitudes, signed = space[name]
            magnitude = float(magnitudes[self.magnitude].item()) if magnitudes.ndim > 0 else 0.0
            if signed and torch.randint(2, (1,)):
                magnitude *= -1.0
            img = _applied(img, name, magnitude, self.interpolation, fill)
        return img

    def __repr__(self):
        return (
            f"{self.__class__.__name__}(num_ops={self.num_ops}, magnitude={self.magnitude}, "
            f"num_magnitude_bins={self.num_magnitude_bins}, interpolation={self.interpolation}, fill={self.fill})"
        )


class TrivialAugmentWide(_Policy):
    def __init__(self, num_magnitude_bins=31, interpolation=InterpolationMode.NEAREST, fill=None):
        super().__init__()
        self.num_magnitude_bins = num_magnitude_bins
        self.interpolation = interpolation
        self.fill = fill

    def forward(self, img):
        fill = self._fill_for(img)
        space = _space(self.num_magnitude_bins, (0, 0), True)
        name = list(space)[int(torch.randint(len(space), (1,)).item())]
        magnitudes, signed = space[name]
        magnitude = 0.0
        if magnitudes.ndim > 0:
            magnitude = float(magnitudes[torch.randint(len(magnitudes), (1,), dtype=torch.long)].item())
        if signed and torch.randint(2, (1,)):
            magnitude *= -1.0
        return _applied(img, name, magnitude, self.interpolation, fill)

    def __repr__(self):
        return (
            f"{self.__class__.__name__}(num_magnitude_bins={self.num_magnitude_bins}, "
            f"interpolation={self.interpolation}, fill={self.fill})"
        )


def __getattr__(name):
    return _C._missing_name("torchvision.transforms", name)

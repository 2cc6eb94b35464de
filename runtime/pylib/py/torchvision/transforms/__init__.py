"""Transforms of pictures and tensors."""

from torch import _C

from torchvision.transforms.functional import InterpolationMode
from torchvision.transforms._base import Compose, Lambda, RandomApply, RandomChoice, RandomOrder
from torchvision.transforms._color import (
    ColorJitter, GaussianBlur, Grayscale, RandomAdjustSharpness, RandomAutocontrast, RandomEqualize, RandomErasing,
    RandomGrayscale, RandomInvert, RandomPosterize, RandomSolarize,
)
from torchvision.transforms._geometry import (
    CenterCrop, FiveCrop, Pad, RandomAffine, RandomCrop, RandomHorizontalFlip, RandomPerspective, RandomResizedCrop,
    RandomRotation, RandomVerticalFlip, Resize, TenCrop,
)
from torchvision.transforms._types import (
    ConvertImageDtype, LinearTransformation, Normalize, PILToTensor, ToPILImage, ToTensor,
)


def __getattr__(name):
    if name in ("autoaugment", "functional", "transforms", "v2"):
        return _C._import_module("torchvision.transforms." + name)
    if name in ("RandAugment", "TrivialAugmentWide"):
        from torchvision.transforms import autoaugment

        return getattr(autoaugment, name)
    return _C._missing_name("torchvision.transforms", name)

"""Transforms of several inputs at once: pictures among them are treated alike, the rest is passed on."""

from torch import _C

from torchvision.transforms.functional import InterpolationMode
from torchvision.transforms.v2._classes import (
    CenterCrop, ColorJitter, ConvertImageDtype, FiveCrop, GaussianBlur, Grayscale, Normalize, Pad, PILToTensor,
    RandomAdjustSharpness, RandomAffine, RandomAutocontrast, RandomCrop, RandomEqualize, RandomErasing,
    RandomGrayscale, RandomHorizontalFlip, RandomInvert, RandomPerspective, RandomPosterize, RandomResizedCrop,
    RandomRotation, RandomSolarize, RandomVerticalFlip, Resize, TenCrop, ToDtype, ToImage, ToPILImage, ToPureTensor,
    ToTensor,
)
from torchvision.transforms.v2._containers import Compose, Identity, Lambda, RandomApply, RandomChoice, RandomOrder
from torchvision.transforms.v2._transform import Transform


def __getattr__(name):
    if name == "functional":
        return _C._import_module("torchvision.transforms.v2.functional")
    return _C._missing_name("torchvision.transforms.v2", name)

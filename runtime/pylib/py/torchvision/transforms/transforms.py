"""The classes under their old place."""

from torchvision.transforms import *
from torchvision.transforms import (
    CenterCrop, ColorJitter, Compose, ConvertImageDtype, FiveCrop, GaussianBlur, Grayscale, InterpolationMode, Lambda,
    LinearTransformation, Normalize, Pad, PILToTensor, RandomAdjustSharpness, RandomAffine, RandomApply,
    RandomAutocontrast, RandomChoice, RandomCrop, RandomEqualize, RandomErasing, RandomGrayscale,
    RandomHorizontalFlip, RandomInvert, RandomOrder, RandomPerspective, RandomPosterize, RandomResizedCrop,
    RandomRotation, RandomSolarize, RandomVerticalFlip, Resize, TenCrop, ToPILImage, ToTensor,
)

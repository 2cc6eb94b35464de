"""The first transforms for several inputs, and those that only exist here."""

import torch

from torchvision import transforms as first
from torchvision import tv_tensors
from torchvision.transforms import functional as F
from torchvision.transforms.v2._transform import OfFirst, Transform, is_picture


class CenterCrop(OfFirst, first.CenterCrop):
    pass


class ColorJitter(OfFirst, first.ColorJitter):
    pass


class FiveCrop(OfFirst, first.FiveCrop):
    pass


class TenCrop(OfFirst, first.TenCrop):
    pass


class GaussianBlur(OfFirst, first.GaussianBlur):
    def __init__(self, kernel_size, sigma=(0.1, 2.0)):
        super().__init__(kernel_size, sigma)
        self.sigma = [float(s) for s in self.sigma]


class Grayscale(OfFirst, first.Grayscale):
    pass


class Normalize(OfFirst, first.Normalize):
    def __init__(self, mean, std, inplace=False):
        super().__init__(list(mean), list(std), inplace)


class Pad(OfFirst, first.Pad):
    pass


class RandomAdjustSharpness(OfFirst, first.RandomAdjustSharpness):
    pass


class RandomAffine(OfFirst, first.RandomAffine):
    pass


class RandomAutocontrast(OfFirst, first.RandomAutocontrast):
    pass


class RandomCrop(OfFirst, first.RandomCrop):
    def draw(self, img):
        _, height, width = F.get_dimensions(self._padded(img))
        th, tw = self.size
        if height < th or width < tw:
            raise ValueError(
                f"Required crop size {(th, tw)} is larger than padded input image size {(height, width)}."
            )
        top = int(torch.randint(0, height - th + 1, size=())) if height > th else 0
        left = int(torch.randint(0, width - tw + 1, size=())) if width > tw else 0
        return top, left, th, tw


def _is_float(img):
    return isinstance(img, torch.Tensor) and img.is_floating_point()


class RandomEqualize(OfFirst, first.RandomEqualize):
    def apply_to(self, img, drawn):
        if not _is_float(img):
            return super().apply_to(img, drawn)
        return F.convert_image_dtype(F.equalize(F.convert_image_dtype(img, torch.uint8)), img.dtype)


class RandomErasing(OfFirst, first.RandomErasing):
    def __init__(self, p=0.5, scale=(0.02, 0.33), ratio=(0.3, 3.3), value=0.0, inplace=False):
        super().__init__(p, scale, ratio, value, inplace)
        if isinstance(value, (int, float)):
            self.value = [float(value)]
        elif isinstance(value, (list, tuple)):
            self.value = [float(v) for v in value]

    def apply_to(self, img, drawn):
        if isinstance(img, torch.Tensor):
            return super().apply_to(img, drawn)
        return F.to_pil_image(F.erase(F.pil_to_tensor(img), *drawn, True), mode=img.mode)


class RandomGrayscale(OfFirst, first.RandomGrayscale):
    pass


class RandomHorizontalFlip(OfFirst, first.RandomHorizontalFlip):
    pass


class RandomInvert(OfFirst, first.RandomInvert):
    pass


class RandomPerspective(OfFirst, first.RandomPerspective):
    pass


class RandomPosterize(OfFirst, first.RandomPosterize):
    def apply_to(self, img, drawn):
        if not _is_float(img):
            return super().apply_to(img, drawn)
        levels = 1 << self.bits
        return img.mul(levels).floor_().clamp_(0, levels - 1).mul_(1.0 / levels)


class RandomResizedCrop(OfFirst, first.RandomResizedCrop):
    pass


class RandomRotation(OfFirst, first.RandomRotation):
    pass


class RandomSolarize(OfFirst, first.RandomSolarize):
    pass


class RandomVerticalFlip(OfFirst, first.RandomVerticalFlip):
    pass


class Resize(OfFirst, first.Resize):
    def __init__(self, size, interpolation=first.InterpolationMode.BILINEAR, max_size=None, antialias=True):
        super().__init__(size, interpolation, max_size, antialias)
        self.size = [size] if isinstance(size, int) else list(size)


class ToImage(Transform):
    def chosen(self, flat_inputs):
        import numpy as np

        found = super().chosen(flat_inputs)
        return [c or isinstance(x, np.ndarray) for x, c in zip(flat_inputs, found)]

    def transform(self, inpt, params):
        from torchvision.transforms.v2 import functional

        return functional.to_image(inpt)


class PILToTensor(Transform):
    def transform(self, inpt, params):
        return F.pil_to_tensor(inpt) if not isinstance(inpt, torch.Tensor) else inpt


class ToPILImage(Transform):
    def __init__(self, mode=None):
        super().__init__()
        self.mode = mode

    def transform(self, inpt, params):
        return F.to_pil_image(inpt, mode=self.mode) if isinstance(inpt, torch.Tensor) else inpt


class ToPureTensor(Transform):
    def transform(self, inpt, params):
        return inpt.view_as(inpt) if isinstance(inpt, tv_tensors.TVTensor) else inpt


class ToTensor(Transform):
    """As it was first."""

    def chosen(self, flat_inputs):
        import numpy as np

        return [is_picture(x) and not isinstance(x, torch.Tensor) or isinstance(x, np.ndarray) for x in flat_inputs]

    def transform(self, inpt, params):
        return F.to_tensor(inpt)


class ConvertImageDtype(Transform):
    def __init__(self, dtype=torch.float32):
        super().__init__()
        self.dtype = dtype

    def transform(self, inpt, params):
        return tv_tensors.wrap(F.convert_image_dtype(inpt, self.dtype), like=inpt)


class ToDtype(Transform):
    def __init__(self, dtype, scale=False):
        super().__init__()
        if isinstance(dtype, dict):
            unknown = [kind for kind in dtype if kind not in (torch.Tensor, tv_tensors.Image, "others")]
            if unknown:
                raise ValueError(f"ToDtype of {unknown} is not supported")
        self.dtype = dtype
        self.scale = scale

    def transform(self, inpt, params):
        dtype = self.dtype
        if isinstance(dtype, dict):
            kind = tv_tensors.Image if isinstance(inpt, tv_tensors.Image) else torch.Tensor
            dtype = dtype.get(kind, dtype.get("others"))
            if dtype is None:
                return inpt
        if not isinstance(inpt, torch.Tensor):
            return inpt
        out = F.convert_image_dtype(inpt, dtype) if self.scale else inpt.to(dtype)
        return tv_tensors.wrap(out, like=inpt)

    def extra_repr(self):
        return f"scale={self.scale}"

"""From pictures to tensors and back, and what is done to a tensor's numbers."""

import torch

from torchvision.transforms import functional as F
from torchvision.transforms._base import Drawing


class ToTensor:
    def __call__(self, pic):
        return F.to_tensor(pic)

    def __repr__(self):
        return f"{self.__class__.__name__}()"


class PILToTensor:
    def __call__(self, pic):
        return F.pil_to_tensor(pic)

    def __repr__(self):
        return f"{self.__class__.__name__}()"


class ToPILImage:
    def __init__(self, mode=None):
        self.mode = mode

    def __call__(self, pic):
        return F.to_pil_image(pic, self.mode)

    def __repr__(self):
        mode = "" if self.mode is None else f"mode={self.mode}"
        return f"{self.__class__.__name__}({mode})"


class ConvertImageDtype(Drawing):
    def __init__(self, dtype):
        super().__init__()
        self.dtype = dtype

    def apply_to(self, img, drawn):
        return F.convert_image_dtype(img, self.dtype)


class Normalize(Drawing):
    def __init__(self, mean, std, inplace=False):
        super().__init__()
        self.mean = mean
        self.std = std
        self.inplace = inplace

    def forward(self, tensor):
        return F.normalize(tensor, self.mean, self.std, self.inplace)

    def apply_to(self, img, drawn):
        return F.normalize(img, self.mean, self.std, self.inplace)

    def __repr__(self):
        return f"{self.__class__.__name__}(mean={self.mean}, std={self.std})"


class LinearTransformation(Drawing):
    def __init__(self, transformation_matrix, mean_vector):
        super().__init__()
        if transformation_matrix.size(0) != transformation_matrix.size(1):
            raise ValueError(
                "transformation_matrix should be square. Got "
                f"{tuple(transformation_matrix.size())} rectangular matrix."
            )
        if mean_vector.size(0) != transformation_matrix.size(0):
            raise ValueError(
                f"mean_vector should have the same length {mean_vector.size(0)}"
                f" as any one of the dimensions of the transformation_matrix [{tuple(transformation_matrix.size())}]"
            )
        self.transformation_matrix = transformation_matrix
        self.mean_vector = mean_vector

    def apply_to(self, img, drawn):
        n = img.shape[-3] * img.shape[-2] * img.shape[-1]
        if n != self.transformation_matrix.shape[0]:
            raise ValueError(
                "Input tensor and transformation matrix have incompatible shape."
                f"[{img.shape[-3]} x {img.shape[-2]} x {img.shape[-1]}] != {self.transformation_matrix.shape[0]}"
            )
        flat = img.view(-1, n) - self.mean_vector
        return torch.mm(flat, self.transformation_matrix).view(img.shape)

    def __repr__(self):
        return (
            f"{self.__class__.__name__}(transformation_matrix={self.transformation_matrix.tolist()}"
            f", mean_vector={self.mean_vector.tolist()})"
        )

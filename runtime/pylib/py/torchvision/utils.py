"""Pictures side by side, and into files."""

import math

import torch
from _refused import refused
from PIL import Image
from torch import _C


@torch.no_grad()
def make_grid(tensor, nrow=8, padding=2, normalize=False, value_range=None, scale_each=False, pad_value=0.0):
    if not torch.is_tensor(tensor):
        if not isinstance(tensor, list):
            raise TypeError(f"tensor or list of tensors expected, got {type(tensor)}")
        for t in tensor:
            if not torch.is_tensor(t):
                raise TypeError(f"tensor or list of tensors expected, got a list containing {type(t)}")
        tensor = torch.stack(tensor, dim=0)
    if tensor.dim() == 2:
        tensor = tensor.unsqueeze(0)
    if tensor.dim() == 3:
        if tensor.size(0) == 1:
            tensor = torch.cat((tensor, tensor, tensor), 0)
        tensor = tensor.unsqueeze(0)
    if tensor.dim() == 4 and tensor.size(1) == 1:
        tensor = torch.cat((tensor, tensor, tensor), 1)
    if normalize is True:
        tensor = tensor.clone()
        if value_range is not None and not isinstance(value_range, tuple):
            raise TypeError("value_range has to be a tuple (min, max) if specified. min and max are numbers")
        for t in tensor if scale_each is True else [tensor]:
            low, high = value_range if value_range is not None else (float(t.min()), float(t.max()))
            t.clamp_(min=low, max=high)
            t.sub_(low).div_(max(high - low, 1e-5))
    if not isinstance(tensor, torch.Tensor):
        raise TypeError("tensor should be of type torch.Tensor")
    if tensor.size(0) == 1:
        return tensor.squeeze(0)
    count = tensor.size(0)
    columns = min(nrow, count)
    rows = int(math.ceil(float(count) / columns))
    height, width = int(tensor.size(2) + padding), int(tensor.size(3) + padding)
    grid = tensor.new_full((tensor.size(1), height * rows + padding, width * columns + padding), pad_value)
    for k in range(count):
        y, x = k // columns * height + padding, k % columns * width + padding
        grid[:, y : y + height - padding, x : x + width - padding] = tensor[k]
    return grid


@torch.no_grad()
def save_image(tensor, fp, format=None, **kwargs):
    grid = make_grid(tensor, **kwargs)
    pixels = grid.mul(255).add_(0.5).clamp_(0, 255).permute(1, 2, 0).to("cpu", torch.uint8)
    Image.fromarray(pixels.numpy()).save(fp, format=format)


@torch.no_grad()
def draw_bounding_boxes(
    image, boxes, labels=None, colors=None, fill=False, width=1, font=None, font_size=None, label_colors=None,
    label_background_colors=None, fill_labels=False,
):
    from PIL import ImageDraw
    from torchvision.transforms import functional

    for name, value in (
        ("labels", labels), ("font", font), ("font_size", font_size), ("label_colors", label_colors),
        ("label_background_colors", label_background_colors),
    ):
        if value is not None:
            raise refused("torchvision.utils.draw_bounding_boxes", name)
    if fill or fill_labels:
        raise refused("torchvision.utils.draw_bounding_boxes", "fill" if fill else "fill_labels")
    if image.dtype != torch.uint8 and not image.dtype.is_floating_point:
        raise ValueError("The image dtype must be uint8 or float")
    if image.dim() != 3:
        raise ValueError("Pass individual images, not batches")
    if (boxes[:, 0] > boxes[:, 2]).any() or (boxes[:, 1] > boxes[:, 3]).any():
        raise ValueError("Boxes need to be in (xmin, ymin, xmax, ymax) format. Use torchvision.ops.box_convert to convert them")
    if image.size(0) == 1:
        image = torch.tile(image, (3, 1, 1))
    floats = image.dtype.is_floating_point
    pixels = functional.convert_image_dtype(image, torch.uint8) if floats else image
    picture = functional.to_pil_image(pixels)
    draw = ImageDraw.Draw(picture)
    for i, box in enumerate(boxes.to(torch.int64).tolist()):
        color = colors[i] if isinstance(colors, list) else colors
        draw.rectangle(box, width=width, outline="red" if color is None else color)
    out = functional.pil_to_tensor(picture)
    return functional.convert_image_dtype(out, image.dtype) if floats else out


def __getattr__(name):
    return _C._missing_name("torchvision.utils", name)

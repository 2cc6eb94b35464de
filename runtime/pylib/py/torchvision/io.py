"""Pictures from files and bytes as tensors; videos are not there."""

import enum
import io

import torch
from PIL import Image


class ImageReadMode(enum.Enum):
    UNCHANGED, GRAY, GRAY_ALPHA, RGB, RGB_ALPHA = range(5)


_MODES = {ImageReadMode.GRAY: "L", ImageReadMode.GRAY_ALPHA: "LA", ImageReadMode.RGB: "RGB", ImageReadMode.RGB_ALPHA: "RGBA"}


def read_file(path):
    with open(path, "rb") as file:
        return torch.frombuffer(bytearray(file.read()), dtype=torch.uint8)


def write_file(filename, data):
    with open(filename, "wb") as file:
        file.write(bytes(data.tolist()))


def _mode(mode):
    return ImageReadMode[mode.upper()] if isinstance(mode, str) else mode


def _decoded(data, mode):
    picture = Image.open(io.BytesIO(data))
    mode = _mode(mode)
    if mode is not ImageReadMode.UNCHANGED:
        picture = picture.convert(_MODES[mode])
    elif picture.mode in ("P", "1"):
        picture = picture.convert("RGB" if picture.mode == "P" else "L")
    bands = len(picture.getbands())
    flat = torch.frombuffer(bytearray(picture.tobytes()), dtype=torch.uint8)
    return flat.reshape(picture.height, picture.width, bands).permute(2, 0, 1).contiguous()


def decode_image(input, mode=ImageReadMode.UNCHANGED, apply_exif_orientation=False):
    if apply_exif_orientation:
        raise NotImplementedError("torchvision.io: apply_exif_orientation is not implemented in janus-jit yet")
    data = bytes(input.tolist()) if isinstance(input, torch.Tensor) else read_file(input).numpy().tobytes()
    return _decoded(data, mode)


def read_image(path, mode=ImageReadMode.UNCHANGED, apply_exif_orientation=False):
    return decode_image(str(path), mode, apply_exif_orientation)


def decode_png(input, mode=ImageReadMode.UNCHANGED, apply_exif_orientation=False):
    return decode_image(input, mode, apply_exif_orientation)


def decode_jpeg(input, mode=ImageReadMode.UNCHANGED, device="cpu", apply_exif_orientation=False):
    torch._C._check_device(device)
    return decode_image(input, mode, apply_exif_orientation)


def _encoded(input, kind, **options):
    from torchvision.transforms.functional import to_pil_image

    file = io.BytesIO()
    to_pil_image(input).save(file, kind, **options)
    return torch.frombuffer(bytearray(file.getvalue()), dtype=torch.uint8)


def encode_png(input, compression_level=6):
    return _encoded(input, "PNG", compress_level=compression_level)


def encode_jpeg(input, quality=75):
    return _encoded(input, "JPEG", quality=quality)


def write_png(input, filename, compression_level=6):
    write_file(filename, encode_png(input, compression_level))


def write_jpeg(input, filename, quality=75):
    write_file(filename, encode_jpeg(input, quality))


def _no_video(*args, **kwargs):
    raise NotImplementedError("torchvision.io: videos are not implemented in janus-jit yet")


read_video = read_video_timestamps = write_video = VideoReader = _no_video

"""More or less of a picture's colour, contrast, brightness, sharpness."""

from PIL import Image, ImageFilter, ImageStat


class _Enhance:
    """The picture, and what it is without the property."""

    def enhance(self, factor):
        return Image.blend(self.degenerate, self.image, factor)

    def _begin(self, image, degenerate):
        self.image = image
        if "A" in image.getbands():
            degenerate.putalpha(image.getchannel("A"))
        self.degenerate = degenerate


class Color(_Enhance):
    def __init__(self, image):
        self.intermediate_mode = "LA" if "A" in image.getbands() else "L"
        self.image = image
        self.degenerate = image.convert(self.intermediate_mode).convert(image.mode)


class Contrast(_Enhance):
    def __init__(self, image):
        mean = int(ImageStat.Stat(image.convert("L")).mean[0] + 0.5)
        self._begin(image, Image.new("L", image.size, mean).convert(image.mode))


class Brightness(_Enhance):
    def __init__(self, image):
        self._begin(image, Image.new(image.mode, image.size, 0))


class Sharpness(_Enhance):
    def __init__(self, image):
        self._begin(image, image.filter(ImageFilter.SMOOTH))

"""Fonts, of which none can be read yet: who asks for one is refused."""

from _refused import Absent, absent

FreeTypeFont = Absent("FreeTypeFont", (), {"__module__": "PIL.ImageFont"})
TransposedFont = Absent("TransposedFont", (), {"__module__": "PIL.ImageFont"})
ImageFont = Absent("ImageFont", (), {"__module__": "PIL.ImageFont"})


def truetype(font, *args, **kwargs):
    raise absent("PIL.ImageFont", "truetype")


def load(filename):
    raise absent("PIL.ImageFont", "load")


def load_path(filename):
    raise absent("PIL.ImageFont", "load_path")


def load_default(size=None):
    raise absent("PIL.ImageFont", "load_default")

"""Settings of files."""

from PIL.Image import Image as ImageFile  # noqa: F401

LOAD_TRUNCATED_IMAGES = False

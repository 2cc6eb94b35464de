"""Pillow's common surface over tensors and a native module."""

__version__ = "13.0.0"


class UnidentifiedImageError(OSError):
    """A file that is no picture of a known format."""

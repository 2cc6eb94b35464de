"""Encodings of East Asia, in `_multibytecodec`."""

from _multibytecodec import getcodec

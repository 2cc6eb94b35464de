"""Bytes as text."""

from _refused import refused
from _binascii import a2b as _a2b, b2a as _b2a, crc32


class Error(ValueError):
    pass


class Incomplete(Exception):
    pass


def b2a_base64(data, /, *, newline=True):
    return _b2a(data) + (b"\n" if newline else b"")


def a2b_base64(data, /, *, strict_mode=False):
    if strict_mode:
        raise refused("binascii.a2b_base64", "strict_mode")
    decoded = _a2b(data.encode() if isinstance(data, str) else data)
    if isinstance(decoded, str):
        raise Error(decoded)
    return decoded


def hexlify(data, sep=None, bytes_per_sep=1):
    data = bytes(data)
    return (data.hex() if sep is None else data.hex(sep, bytes_per_sep)).encode()


def unhexlify(hexstr, /):
    text = hexstr if isinstance(hexstr, str) else bytes(hexstr).decode("latin-1")
    if len(text) % 2:
        raise Error("Odd-length string")
    try:
        return bytes(int(text[i:i + 2], 16) for i in range(0, len(text), 2))
    except ValueError:
        raise Error("Non-hexadecimal digit found") from None


b2a_hex, a2b_hex = hexlify, unhexlify

"""Bytes as text."""

from _binascii import a2b as _a2b, b2a as _b2a, crc32


class Error(ValueError):
    pass


class Incomplete(Exception):
    pass


def b2a_base64(data, /, *, newline=True):
    return _b2a(data) + (b"\n" if newline else b"")


def a2b_base64(data, /, *, strict_mode=False):
    data = data.encode() if isinstance(data, str) else data
    if strict_mode:
        _check_strictly(bytes(data))
    decoded = _a2b(data)
    if isinstance(decoded, str):
        raise Error(decoded)
    return decoded


_BASE64 = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")


def _check_strictly(data):
    """What is passed over otherwise is an error."""
    if data[:1] == b"=":
        raise Error("Leading padding not allowed")
    letters = pads = 0
    padded = False
    for at, b in enumerate(data):
        if b == 0x3D:
            padded = True
            if letters % 4 >= 2:
                pads += 1
                if letters % 4 + pads >= 4:
                    if at + 1 < len(data):
                        raise Error("Excess data after padding")
                    return
        elif b not in _BASE64:
            raise Error("Only base64 data is allowed")
        elif padded:
            raise Error("Discontinuous padding not allowed")
        else:
            letters += 1


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


def b2a_uu(data, /, *, backtick=False):
    """A line of uuencoded data."""
    data = bytes(data)
    if len(data) > 45:
        raise Error("At most 45 bytes at once")
    padded = data + bytes(-len(data) % 3)
    sixes = [len(data)]
    for at in range(0, len(padded), 3):
        word = int.from_bytes(padded[at:at + 3], "big")
        sixes += [word >> 18, word >> 12 & 63, word >> 6 & 63, word & 63]
    return bytes(96 if backtick and not six else 32 + six for six in sixes) + b"\n"


def a2b_uu(data, /):
    """The data of an uuencoded line."""
    if isinstance(data, str):
        data = data.encode("ascii")
    data = bytes(data)
    if not data:
        return bytes(32)
    length, out, word, bits, at = data[0] - 32 & 63, bytearray(), 0, 0, 1
    while len(out) < length:
        # A line may be short of blanks at its end.
        char = data[at] if at < len(data) and data[at] not in b"\r\n" else 32
        if not 32 <= char <= 96:
            raise Error("Illegal char")
        at += at < len(data) and data[at] not in b"\r\n"
        word, bits = word << 6 | char - 32 & 63, bits + 6
        if bits >= 8:
            bits -= 8
            out.append(word >> bits & 255)
    if data[at:].strip(b" `\r\n"):
        raise Error("Trailing garbage")
    return bytes(out)

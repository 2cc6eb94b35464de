"""Bytes as text."""

from _binascii import a2b as _a2b, b2a as _b2a, crc32, crc_hqx


class Error(ValueError):
    pass


class Incomplete(Exception):
    pass


def _binary(data):
    """The bytes of what has some, one after the other."""
    if type(data) is bytes:
        return data
    try:
        view = memoryview(data)
    except TypeError:
        raise TypeError(f"a bytes-like object is required, not {type(data).__name__!r}") from None
    if not view.c_contiguous:
        raise BufferError("memoryview: underlying buffer is not C-contiguous")
    return bytes(view)


def _text(data):
    """The same of what may be a text, too."""
    if isinstance(data, str):
        if not data.isascii():
            raise ValueError("string argument should contain only ASCII characters")
        return data.encode("ascii")
    try:
        return _binary(data)
    except TypeError:
        raise TypeError("argument should be bytes, buffer or ASCII string, "
                        f"not {type(data).__name__!r}") from None


def b2a_base64(data, /, *, newline=True):
    return _b2a(_binary(data)) + (b"\n" if newline else b"")


def a2b_base64(data, /, *, strict_mode=False):
    data = _text(data)
    if strict_mode:
        _check_strictly(data)
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
    data = _binary(data)
    return (data.hex() if sep is None else data.hex(sep, bytes_per_sep)).encode()


def unhexlify(hexstr, /):
    text = _text(hexstr).decode("latin-1")
    if len(text) % 2:
        raise Error("Odd-length string")
    # `fromhex` passes over blanks.
    if text and not text.isalnum():
        raise Error("Non-hexadecimal digit found")
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise Error("Non-hexadecimal digit found") from None


b2a_hex, a2b_hex = hexlify, unhexlify


def b2a_uu(data, /, *, backtick=False):
    """A line of uuencoded data."""
    data = _binary(data)
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
    data = _text(data)
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


_HEX = b"0123456789abcdefABCDEF"


def a2b_qp(data, header=False):
    """The data of quoted-printable text; in a header, _ stands for a blank."""
    data, out, at = _text(data), bytearray(), 0
    if header:
        data = data.replace(b"_", b" ")
    while True:
        mark = data.find(b"=", at)
        if mark < 0:
            return bytes(out + data[at:])
        out += data[at:mark]
        at = mark + 1
        following = data[at:at + 1]
        if not following:
            return bytes(out)
        if following in b"\r\n":
            # A line that goes on: what stands before its end is passed over.
            end = data.find(b"\n", at)
            at = len(data) if end < 0 else end + 1
        elif following == b"=":
            out += b"="
            at += 1
        elif at + 1 < len(data) and data[at] in _HEX and data[at + 1] in _HEX:
            out.append(int(data[at:at + 2], 16))
            at += 2
        else:
            out += b"="


def b2a_qp(data, quotetabs=False, istext=True, header=False):
    """Quoted-printable text of data, in lines of 76 characters at most."""
    data, out, width, at = _binary(data), bytearray(), 0, 0
    end = b"\r\n" if data.find(b"\n") > 0 and data[data.find(b"\n") - 1] == 13 else b"\n"
    while at < len(data):
        byte = data[at]
        following = data[at + 1] if at + 1 < len(data) else None
        if istext and (byte == 10 or byte == 13 and following == 10):
            # A blank at the end of a line would be lost.
            if out and out[-1] in b" \t":
                out[-1:] = b"=%02X" % out[-1]
            out += end
            width = 0
            at += 1 + (byte == 13)
            continue
        if (byte > 126 or byte == 61 or header and byte == 95
                or byte == 46 and not width and following in (None, 0, 10, 13)
                or byte in b"\r\n" and not istext
                or byte in b"\t " and (quotetabs or following is None)
                or byte < 32 and byte not in b"\t\r\n"):
            shown = b"=%02X" % byte
        else:
            shown = b"_" if header and byte == 32 else data[at:at + 1]
        breaks = following not in (None, 10) if len(shown) == 1 else True
        if breaks and width + len(shown) >= 76:
            out += b"=" + end
            width = 0
        out += shown
        width += len(shown)
        at += 1
    return bytes(out)

"""Base 64, 32 and 16."""

from _refused import refused
import binascii

_STANDARD = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_BASE32 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


def _bytes(s):
    if isinstance(s, str):
        try:
            return s.encode("ascii")
        except UnicodeEncodeError:
            raise ValueError("string argument should contain only ASCII characters")
    return bytes(s)


def b64encode(s, altchars=None):
    encoded = binascii.b2a_base64(s, newline=False)
    return encoded if altchars is None else encoded.translate(bytes.maketrans(b"+/", altchars))


def b64decode(s, altchars=None, validate=False):
    s = _bytes(s)
    if altchars is not None:
        s = s.translate(bytes.maketrans(_bytes(altchars), b"+/"))
    if validate and any(c not in _STANDARD + b"=" for c in s):
        raise binascii.Error("Only base64 data is allowed")
    return binascii.a2b_base64(s)


def standard_b64encode(s):
    return b64encode(s)


def standard_b64decode(s):
    return b64decode(s)


def urlsafe_b64encode(s):
    return b64encode(s, b"-_")


def urlsafe_b64decode(s):
    return b64decode(s, b"-_")


def b16encode(s):
    return binascii.hexlify(s).upper()


def b16decode(s, casefold=False):
    s = _bytes(s)
    if not casefold and any(c in b"abcdef" for c in s):
        raise binascii.Error("Non-base16 digit found")
    return binascii.unhexlify(s)


def b32encode(s):
    s = bytes(s)
    out = bytearray()
    for i in range(0, len(s), 5):
        chunk = s[i:i + 5]
        number = int.from_bytes(chunk + bytes(5 - len(chunk)), "big")
        letters = bytes(_BASE32[number >> shift & 31] for shift in range(35, -1, -5))
        keep = (len(chunk) * 8 + 4) // 5
        out += letters[:keep] + b"=" * (8 - keep)
    return bytes(out)


def b32decode(s, casefold=False, map01=None):
    if map01 is not None:
        raise refused("base64.b32decode", "map01")
    s = _bytes(s)
    if casefold:
        s = s.upper()
    if len(s) % 8:
        raise binascii.Error("Incorrect padding")
    out = bytearray()
    for i in range(0, len(s), 8):
        letters = s[i:i + 8].rstrip(b"=")
        number = 0
        for c in letters:
            if c not in _BASE32:
                raise binascii.Error("Non-base32 digit found")
            number = number << 5 | _BASE32.index(c)
        number <<= 5 * (8 - len(letters))
        out += number.to_bytes(5, "big")[:len(letters) * 5 // 8]
    return bytes(out)


def encodebytes(s):
    return b"".join(binascii.b2a_base64(s[i:i + 57]) for i in range(0, len(s), 57))


decodebytes = b64decode

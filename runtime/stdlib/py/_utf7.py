"""UTF-7 (RFC 2152): what is not plain ASCII as UTF-16 in base64, between `+` and `-`."""

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_VALUES = {ord(letter): value for value, letter in enumerate(_LETTERS)}
# Encoded as they are; read, all of ASCII is.
_PLAIN = frozenset(c for c in map(chr, range(32, 127)) if c not in "+\\~") | frozenset("\t\n\r")


class _Bits:
    """Bits that are not yet a whole number of units."""

    def __init__(self):
        self.held = self.count = 0

    def put(self, value, size, unit):
        self.held, self.count = self.held << size | value, self.count + size
        while self.count >= unit:
            self.count -= unit
            yield self.held >> self.count
            self.held &= (1 << self.count) - 1


def encode(text):
    out, bits = [], None
    for c in text:
        plain = c in _PLAIN
        if bits is not None:
            if not plain:
                out.append(_shifted(bits, c))
                continue
            out.append(_end(bits))
            bits = None
            # Without a mark, it would be read as more of what is before it.
            if c in _LETTERS or c == "-":
                out.append("-")
            out.append(c)
        elif c == "+":
            out.append("+-")
        elif plain:
            out.append(c)
        else:
            bits = _Bits()
            out.append("+" + _shifted(bits, c))
    if bits is not None:
        out.append(_end(bits) + "-")
    return "".join(out).encode()


def _shifted(bits, c):
    code = ord(c)
    units = (code,) if code < 0x10000 else (0xD800 + (code - 0x10000 >> 10), 0xDC00 + (code & 0x3FF))
    return "".join(_LETTERS[value] for unit in units for value in bits.put(unit, 16, 6))


def _end(bits):
    return _LETTERS[bits.held << 6 - bits.count] if bits.count else ""


def decode(data, errors, final, handled):
    """The text, and how many bytes it takes; `handled` is what is done about an error."""
    out, at, size = [], 0, len(data)
    bits, high, began, before = None, 0, 0, 0

    def wrong(first, reason):
        nonlocal data, size
        text, to, data = handled(errors or "strict", UnicodeDecodeError("utf7", data, first, at, reason))
        size = len(data)
        out.append(text)
        return to

    while at < size:
        b = data[at]
        if bits is not None:
            if b in _VALUES:
                at += 1
                for unit in bits.put(_VALUES[b], 6, 16):
                    if high:
                        if 0xDC00 <= unit < 0xE000:
                            out.append(chr(0x10000 + ((high - 0xD800) << 10 | unit - 0xDC00)))
                            high = 0
                            continue
                        out.append(chr(high))
                        high = 0
                    if 0xD800 <= unit < 0xDC00:
                        high = unit
                    else:
                        out.append(chr(unit))
                continue
            rest, bits = bits, None
            if rest.count >= 6 or rest.held:
                at += 1
                partial = rest.count >= 6
                at = wrong(began, "partial character in shift sequence" if partial
                           else "non-zero padding bits in shift sequence")
                continue
            if high and b < 128:
                out.append(chr(high))
            high = 0
            if b == ord("-"):
                at += 1
        elif b == ord("+"):
            began, at = at, at + 1
            if at < size and data[at] == ord("-"):
                out.append("+")
                at += 1
            elif at < size and data[at] not in _VALUES:
                at += 1
                at = wrong(began, "ill-formed sequence")
            else:
                bits, high, before = _Bits(), 0, len(out)
        elif b < 128:
            out.append(chr(b))
            at += 1
        else:
            at += 1
            at = wrong(at - 1, "unexpected special character")
    if bits is not None:
        if not final:
            return "".join(out[:before]), began
        if high or bits.count >= 6 or bits.held:
            at = size
            wrong(began, "unterminated shift sequence")
    return "".join(out), size

"""The registry of encodings and of what is done about errors, and the encodings that need no table.

`codecs` and `encodings` are CPython's. `str.encode` and `bytes.decode` do UTF-8, ASCII and Latin-1 themselves and come
here for the rest.
"""

import struct

_searches = []
_found = {}
_handlers = {}


def register(search_function, /):
    if not callable(search_function):
        raise TypeError("argument must be callable")
    _searches.append(search_function)


def unregister(search_function, /):
    if search_function in _searches:
        _searches.remove(search_function)
        _found.clear()


def lookup(encoding, /):
    if not isinstance(encoding, str):
        raise TypeError(f"lookup() argument must be str, not {type(encoding).__name__}")
    import encodings  # It registers itself.

    name = encoding.lower().replace(" ", "_")
    if name not in _found:
        for search in _searches:
            info = search(name)
            if info is not None:
                if not isinstance(info, tuple) or len(info) != 4:
                    raise TypeError("codec search functions must return 4-tuples")
                _found[name] = info
                break
        else:
            raise LookupError(f"unknown encoding: {encoding}")
    return _found[name]


def _checked(found, what):
    if not isinstance(found, tuple) or len(found) != 2:
        raise TypeError(f"{what} must return a tuple (object, integer)")
    return found[0]


# Errors that say more than a message are passed on as they are.
_TELLING = (OSError, ImportError, SyntaxError, UnicodeEncodeError, UnicodeDecodeError, UnicodeTranslateError, StopIteration,
            SystemExit, AttributeError, NameError)


def _called(codec, obj, errors, doing, encoding, named_already=False):
    """What a codec gives; its error names the encoding."""
    try:
        return _checked(codec(obj, errors), doing[:-3] + "er")
    except Exception as e:
        told = isinstance(e, _TELLING) or e.__dict__ or len(e.args) != 1 or not isinstance(e.args[0], str)
        if told or named_already:
            raise
        named = type(e)(f"{doing} with '{encoding}' codec failed ({type(e).__name__}: {e})")
        named.__cause__ = e
    raise named


# Those that `str` and `bytes` know themselves.
_KNOWN = ("utf-8", "utf8", "utf-16", "utf-32", "ascii", "us-ascii", "latin-1", "latin1", "iso-8859-1", "iso8859-1")


def _is_known(encoding):
    return encoding.lower().replace("_", "-") in _KNOWN


def encode(obj, encoding="utf-8", errors="strict"):
    return _called(lookup(encoding)[0], obj, errors, "encoding", encoding)


def decode(obj, encoding="utf-8", errors="strict"):
    return _called(lookup(encoding)[1], obj, errors, "decoding", encoding)


def _of_text(encoding, instead):
    info = lookup(encoding)
    if not getattr(info, "_is_text_encoding", True):
        raise LookupError(f"'{encoding}' is not a text encoding; use {instead} to handle arbitrary codecs")
    return info


def encode_text(text, encoding, errors):
    """`text.encode(encoding, errors)`"""
    found = _called(_of_text(encoding, "codecs.encode()")[0], text, errors, "encoding", encoding,
                    _is_known(encoding))
    if not isinstance(found, (bytes, bytearray)):
        raise TypeError(
            f"'{encoding}' encoder returned '{type(found).__name__}' instead of 'bytes'; use codecs.encode() to encode to "
            "arbitrary types"
        )
    return bytes(found)


def decode_text(data, encoding, errors):
    """`data.decode(encoding, errors)`"""
    found = _called(_of_text(encoding, "codecs.decode()")[1], data, errors, "decoding", encoding,
                    _is_known(encoding))
    if not isinstance(found, str):
        raise TypeError(
            f"'{encoding}' decoder returned '{type(found).__name__}' instead of 'str'; use codecs.decode() to decode to "
            "arbitrary types"
        )
    return found


# What is done about errors


def register_error(errors, handler, /):
    if not callable(handler):
        raise TypeError("handler must be callable")
    _handlers[errors] = handler


def lookup_error(name, /):
    try:
        return _handlers[name]
    except KeyError:
        raise LookupError(f"unknown error handler name '{name}'") from None


def _handled(errors, exc):
    """What stands for the part that is in error, where to go on, and the bytes or the text that are gone on in: a
    handler may have put others into the exception.
    """
    decoding = isinstance(exc, UnicodeDecodeError)
    found = lookup_error(errors)(exc)
    kinds = str if decoding else (str, bytes)
    if not (isinstance(found, tuple) and len(found) == 2 and isinstance(found[0], kinds) and isinstance(found[1], int)):
        what = "decoding error handler must return (str, int) tuple" if decoding else (
            "encoding error handler must return (str/bytes, int) tuple")
        raise TypeError(what)
    text, at = found
    data = exc.object
    if decoding and not isinstance(data, bytes):
        raise TypeError("object attribute must be bytes")
    size = len(data)
    if at < 0:
        at += size
    if not 0 <= at <= size:
        raise IndexError(f"position {found[1]} from error handler out of bounds")
    return text, at, data


_PLACED = UnicodeEncodeError, UnicodeDecodeError, UnicodeTranslateError


def _kind(exc, *kinds):
    """Which of the classes an exception is of; what only says so is not."""
    if not issubclass(type(exc), kinds or _PLACED):
        raise TypeError(f"don't know how to handle {type(exc).__name__} in error callback")


def _place(exc, *kinds):
    """What is in error, and from where to where, within its bounds."""
    _kind(exc, *kinds)
    data = exc.object
    if isinstance(exc, UnicodeDecodeError):
        if not isinstance(data, bytes):
            raise TypeError("object attribute must be bytes")
    elif not isinstance(data, str):
        raise TypeError("object attribute must be unicode")
    size = len(data)
    return data, max(min(exc.start, size - 1), 0), min(max(exc.end, 1), size)


def _unhandled(exc):
    raise exc if isinstance(exc, Exception) else TypeError("codec must pass exception instance")


def _ignored(exc):
    return "", _place(exc)[2]


def _replaced(exc):
    _, start, end = _place(exc)
    if isinstance(exc, UnicodeDecodeError):
        return "\ufffd", end
    return ("?" if isinstance(exc, UnicodeEncodeError) else "\ufffd") * (end - start), end


def _character_references(exc):
    text, start, end = _place(exc, UnicodeEncodeError)
    return "".join(f"&#{ord(c)};" for c in text[start:end]), end


def _escaped(c):
    n = ord(c)
    return f"\\x{n:02x}" if n < 0x100 else f"\\u{n:04x}" if n < 0x10000 else f"\\U{n:08x}"


def _backslashes(exc):
    data, start, end = _place(exc)
    part = data[start:end]
    if isinstance(exc, UnicodeDecodeError):
        return "".join(f"\\x{b:02x}" for b in part), end
    return "".join(map(_escaped, part)), end


def _names(exc):
    import unicodedata

    text, start, end = _place(exc, UnicodeEncodeError)
    shown = []
    for c in text[start:end]:
        name = unicodedata.name(c, None)
        shown.append(_escaped(c) if name is None else f"\\N{{{name}}}")
    return "".join(shown), end


def _surrogate_escape(exc):
    data, start, end = _place(exc, UnicodeEncodeError, UnicodeDecodeError)
    if isinstance(exc, UnicodeEncodeError):
        codes = [ord(c) for c in data[start:end]]
        if not all(0xDC80 <= code <= 0xDCFF for code in codes):
            raise exc
        return bytes(code - 0xDC00 for code in codes), end
    # At most four: no more are in error at once.
    found = ""
    for b in data[start:end][:4]:
        if b < 0x80:
            break
        found += chr(0xDC00 + b)
    if not found:
        raise exc
    return found, start + len(found)


def _units_of_pass(encoding):
    """Of an encoding that `surrogatepass` knows: bytes of a unit, and their order; three bytes are UTF-8."""
    name = encoding.lower().replace("-", "").replace("_", "")
    order = "big" if name.endswith("be") else "little"
    return {"utf8": 3, "cputf8": 3, "utf16": 2, "utf32": 4}.get(name.removesuffix("le").removesuffix("be"), 0), order


def _surrogate_pass(exc):
    _place(exc, UnicodeEncodeError, UnicodeDecodeError)
    size, order = _units_of_pass(exc.encoding)
    if not size:
        raise exc
    if isinstance(exc, UnicodeEncodeError):
        out = bytearray()
        for c in exc.object[exc.start : exc.end]:
            code = ord(c)
            if not 0xD800 <= code < 0xE000:
                raise exc
            if size == 3:
                out += bytes((0xE0 | code >> 12, 0x80 | code >> 6 & 0x3F, 0x80 | code & 0x3F))
            else:
                out += code.to_bytes(size, order)
        return bytes(out), exc.end
    part = exc.object[exc.start : exc.start + size]
    code = 0
    if len(part) == size:
        if size != 3:
            code = int.from_bytes(part, order)
        elif part[0] & 0xF0 == 0xE0 and part[1] & 0xC0 == 0x80 and part[2] & 0xC0 == 0x80:
            code = (part[0] & 0xF) << 12 | (part[1] & 0x3F) << 6 | part[2] & 0x3F
    if not 0xD800 <= code < 0xE000:
        raise exc
    return chr(code), exc.start + size


for _name, _handler in (
    ("strict", _unhandled), ("ignore", _ignored), ("replace", _replaced), ("xmlcharrefreplace", _character_references),
    ("backslashreplace", _backslashes), ("namereplace", _names), ("surrogateescape", _surrogate_escape),
    ("surrogatepass", _surrogate_pass),
):
    register_error(_name, _handler)


def _encoded(text, errors, encoding, of, reason, unit=1):
    """A text, character by character; `of` gives the bytes of one, or None. What a handler gives are whole units."""
    out = bytearray()
    i, n = 0, len(text)
    while i < n:
        part = of(text[i])
        if part is not None:
            out += part
            i += 1
            continue
        j = i + 1
        # Characters in a row are in error together, but one by one where a unit is more than a byte.
        while unit == 1 and j < n and of(text[j]) is None:
            j += 1
        exc = UnicodeEncodeError(encoding, text, i, j, reason)
        instead, i, text = _handled(errors or "strict", exc)
        n = len(text)
        if isinstance(instead, bytes):
            if len(instead) % unit:
                raise exc
            out += instead
            continue
        for c in instead:
            part = of(c)
            if part is None:
                raise exc
            out += part
    return bytes(out), n


def _below(limit, name):
    def function(text, errors="strict", /):
        reason = f"ordinal not in range({limit})"
        return _encoded(text, errors, name, lambda c: bytes((ord(c),)) if ord(c) < limit else None, reason)

    return function


_ascii, _latin_1 = _below(128, "ascii"), _below(256, "latin-1")
_BUILT_IN = ("strict", "ignore", "replace", "xmlcharrefreplace", "backslashreplace")


def ascii_encode(text, errors="strict", /):
    return (text.encode("ascii", errors), len(text)) if errors in _BUILT_IN else _ascii(text, errors)


def latin_1_encode(text, errors="strict", /):
    return (text.encode("latin-1", errors), len(text)) if errors in _BUILT_IN else _latin_1(text, errors)


def _without_surrogates(encode):
    """The bytes of a character, where it has some."""
    return lambda c: None if 0xD800 <= ord(c) < 0xE000 else encode(c)


def utf_8_encode(text, errors="strict", /):
    if any(0xD800 <= code < 0xE000 for code in map(ord, text)):
        return _encoded(text, errors, "utf-8", _without_surrogates(lambda c: c.encode()), "surrogates not allowed")
    return text.encode(), len(text)


def _decoded(data, errors, encoding, of):
    """Bytes, byte by byte; `of` gives the text of one, or None and why not."""
    out = []
    i, n, size = 0, len(data), len(data)
    while i < n:
        c, reason = of(data[i])
        if c is not None:
            out.append(c)
            i += 1
            continue
        instead, i, data = _handled(errors or "strict", UnicodeDecodeError(encoding, data, i, i + 1, reason))
        n = len(data)
        out.append(instead)
    return "".join(out), size


def ascii_decode(data, errors="strict", /):
    data = bytes(data)
    if errors in ("strict", "ignore", "replace"):
        return data.decode("ascii", errors), len(data)
    return _decoded(data, errors, "ascii", lambda b: (chr(b), "") if b < 128 else (None, "ordinal not in range(128)"))


def latin_1_decode(data, errors="strict", /):
    data = bytes(data)
    return data.decode("latin-1"), len(data)


def _whole(data):
    """How many bytes stand before a character of UTF-8 that is cut off at the end."""
    n = len(data)
    for back in range(1, min(3, n) + 1):
        b = data[n - back]
        if b < 0x80:
            return n
        if b >= 0xC0:
            if b < 0xC2 or b > 0xF4 or back >= (2 if b < 0xE0 else 3 if b < 0xF0 else 4):
                return n
            try:
                data[n - back :].decode("utf-8")
            except UnicodeDecodeError as e:
                return n - back if e.reason == "unexpected end of data" else n
    return n


def utf_8_decode(data, errors="strict", final=False, /):
    data = bytes(data)
    end = len(data) if final else _whole(data)
    if errors in ("strict", "ignore", "replace"):
        return data[:end].decode("utf-8", errors), end
    parts, at = [], 0
    while True:
        try:
            parts.append(data[at:end].decode("utf-8"))
            return "".join(parts), end
        except UnicodeDecodeError as e:
            first, last, reason = at + e.start, at + e.end, e.reason
        parts.append(data[at:first].decode("utf-8"))
        before = data
        instead, at, data = _handled(errors or "strict", UnicodeDecodeError("utf-8", data, first, last, reason))
        if data is not before:
            end = len(data) if final else _whole(data)
        parts.append(instead)


# UTF-16 and UTF-32


def _units(text, size, order):
    if size == 4:
        return struct.pack(f"{order}{len(text)}I", *map(ord, text))
    return text.encode("utf-16-le" if order == "<" else "utf-16-be")


def _wide_encoder(size, order):
    name = f"utf-{8 * size}" + {"": "", "<": "-le", ">": "-be"}[order]

    def function(text, errors="strict", byteorder=0, /):
        mark = b""
        way = order or ("<" if byteorder <= 0 else ">")
        if not order and not byteorder:
            mark = b"\xff\xfe" if size == 2 else b"\xff\xfe\0\0"
        if any(0xD800 <= code < 0xE000 for code in map(ord, text)):
            of = _without_surrogates(lambda c: _units(c, size, way))
            return mark + _encoded(text, errors, name, of, "surrogates not allowed", size)[0], len(text)
        return mark + _units(text, size, way), len(text)

    return function


def _wide(data, errors, name, size, order, final, start):
    """The text of units from `start` on, and how many bytes it takes."""
    out, i, n = [], start, len(data)
    unit = struct.Struct(f"{order}{'H' if size == 2 else 'I'}")
    while i < n:
        wrong = None
        if i + size > n:
            if not final:
                break
            wrong = (n, "truncated data")
        else:
            (code,) = unit.unpack_from(data, i)
            if size == 4:
                if code > 0x10FFFF:
                    wrong = (i + 4, "code point not in range(0x110000)")
                elif 0xD800 <= code < 0xE000:
                    wrong = (i + 4, "code point in surrogate code point range(0xd800, 0xe000)")
                else:
                    out.append(chr(code))
                    i += 4
            elif not 0xD800 <= code < 0xE000:
                out.append(chr(code))
                i += 2
            elif code >= 0xDC00:
                wrong = (i + 2, "illegal encoding")
            elif i + 4 > n:
                if not final:
                    break
                wrong = (n, "unexpected end of data")
            else:
                (low,) = unit.unpack_from(data, i + 2)
                if 0xDC00 <= low < 0xE000:
                    out.append(chr(0x10000 + ((code - 0xD800) << 10 | low - 0xDC00)))
                    i += 4
                else:
                    wrong = (i + 2, "illegal UTF-16 surrogate")
        if wrong is not None:
            end, reason = wrong
            instead, i, data = _handled(errors or "strict", UnicodeDecodeError(name, data, i, end, reason))
            n = len(data)
            out.append(instead)
    return "".join(out), i


def _wide_ex(size):
    bits = 8 * size
    little, big = (b"\xff\xfe", b"\xfe\xff") if size == 2 else (b"\xff\xfe\0\0", b"\0\0\xfe\xff")

    def function(data, errors="strict", byteorder=0, final=False, /):
        data = bytes(data)
        start = 0
        if byteorder == 0:
            if len(data) < size and not final:
                return "", 0, 0
            if data.startswith(little):
                byteorder, start = -1, size
            elif data.startswith(big):
                byteorder, start = 1, size
        order = ">" if byteorder > 0 else "<"
        name = f"utf-{bits}" if start else f"utf-{bits}-{'be' if byteorder > 0 else 'le'}"
        text, used = _wide(data, errors, name, size, order, final, start)
        return text, used, byteorder

    return function


utf_16_ex_decode, utf_32_ex_decode = _wide_ex(2), _wide_ex(4)


def _wide_decoder(ex, order):
    def function(data, errors="strict", final=False, /):
        return ex(data, errors, order, final)[:2]

    return function


utf_16_encode, utf_16_le_encode, utf_16_be_encode = _wide_encoder(2, ""), _wide_encoder(2, "<"), _wide_encoder(2, ">")
utf_32_encode, utf_32_le_encode, utf_32_be_encode = _wide_encoder(4, ""), _wide_encoder(4, "<"), _wide_encoder(4, ">")
utf_16_decode = _wide_decoder(utf_16_ex_decode, 0)
utf_16_le_decode, utf_16_be_decode = _wide_decoder(utf_16_ex_decode, -1), _wide_decoder(utf_16_ex_decode, 1)
utf_32_decode = _wide_decoder(utf_32_ex_decode, 0)
utf_32_le_decode, utf_32_be_decode = _wide_decoder(utf_32_ex_decode, -1), _wide_decoder(utf_32_ex_decode, 1)


# Tables


def charmap_build(decoding, /):
    """Of the characters that bytes stand for: the bytes of characters."""
    return {ord(c): b for b, c in enumerate(decoding) if c != "\ufffe"}


def charmap_encode(text, errors="strict", mapping=None, /):
    if mapping is None:
        return latin_1_encode(text, errors)

    def of(c):
        try:
            found = mapping[ord(c)]
        except LookupError:
            return None
        if isinstance(found, int):
            if not 0 <= found < 256:
                raise TypeError("character mapping must be in range(256)")
            return bytes((found,))
        if found is None or isinstance(found, bytes):
            return found
        raise TypeError(f"character mapping must return integer, bytes or None, not {type(found).__name__}")

    return _encoded(text, errors, "charmap", of, "character maps to <undefined>")


def charmap_decode(data, errors="strict", mapping=None, /):
    data = bytes(data)
    if mapping is None:
        return latin_1_decode(data, errors)

    def of(b):
        try:
            found = mapping[b]
        except LookupError:
            found = None
        if isinstance(found, int):
            found = chr(found)
        if found is None or found == "\ufffe":
            return None, "character maps to <undefined>"
        return found, ""

    return _decoded(data, errors, "charmap", of)


# Escapes


def unicode_escape_encode(text, errors="strict", /):
    return text.encode("unicode_escape"), len(text)


def raw_unicode_escape_encode(text, errors="strict", /):
    return text.encode("raw_unicode_escape"), len(text)


def _unescaped(data, encoding, errors, final):
    data = data.encode() if isinstance(data, str) else bytes(data)
    end = len(data)
    if not final:
        try:
            return data.decode(encoding), end
        except UnicodeDecodeError as e:
            # More of an escape at the end may come.
            end = e.start if e.end == end else end
    return data[:end].decode(encoding, errors), end


def unicode_escape_decode(data, errors="strict", final=True, /):
    return _unescaped(data, "unicode_escape", errors, final)


def raw_unicode_escape_decode(data, errors="strict", final=True, /):
    return _unescaped(data, "raw_unicode_escape", errors, final)


def escape_encode(data, errors="strict", /):
    shown = {0x5C: b"\\\\", 0x27: b"\\'", 9: b"\\t", 10: b"\\n", 13: b"\\r"}
    parts = (shown.get(b) or (bytes((b,)) if 32 <= b < 127 else b"\\x%02x" % b) for b in bytes(data))
    return b"".join(parts), len(data)


_ESCAPES = {b"\\"[0]: b"\\", b"'"[0]: b"'", b'"'[0]: b'"', b"a"[0]: b"\a", b"b"[0]: b"\b", b"f"[0]: b"\f",
            b"n"[0]: b"\n", b"r"[0]: b"\r", b"t"[0]: b"\t", b"v"[0]: b"\v", b"\n"[0]: b""}


def escape_decode(data, errors="strict", /):
    data = data.encode() if isinstance(data, str) else bytes(data)
    out, i, n = bytearray(), 0, len(data)
    while i < n:
        b = data[i]
        i += 1
        if b != 0x5C:
            out.append(b)
            continue
        if i == n:
            raise ValueError("Trailing \\ in string")
        b = data[i]
        i += 1
        if b in _ESCAPES:
            out += _ESCAPES[b]
        elif 0x30 <= b < 0x38:
            j = i
            while j < n and j < i + 2 and 0x30 <= data[j] < 0x38:
                j += 1
            out.append(int(data[i - 1 : j], 8) & 0xFF)
            i = j
        elif b == 0x78:
            digits = data[i : i + 2]
            if len(digits) == 2 and all(d in b"0123456789abcdefABCDEF" for d in digits):
                out.append(int(digits, 16))
                i += 2
            elif errors == "strict":
                raise ValueError(f"invalid \\x escape at position {i - 2}")
            else:
                if errors == "replace":
                    out += b"?"
                elif errors != "ignore":
                    raise ValueError(f"decoding error; unknown error handling code: {errors}")
                if digits[:1] and digits[0] in b"0123456789abcdefABCDEF":
                    i += 1
        else:
            out += bytes((0x5C, b))
    return bytes(out), n


def readbuffer_encode(data, errors="strict", /):
    data = data.encode() if isinstance(data, str) else bytes(data)
    return data, len(data)


def utf_7_encode(text, errors="strict", /):
    import _utf7

    return _utf7.encode(text), len(text)


def utf_7_decode(data, errors="strict", final=False, /):
    import _utf7

    return _utf7.decode(bytes(data), errors, final, _handled)


# Classes of `encodings` have them as attributes, which does not make methods of functions in C.
for _name in [name for name in globals() if name.endswith(("_encode", "_decode"))]:
    globals()[_name] = staticmethod(globals()[_name])
del _name, _handler

"""What CPython's `json` has in C, over the native reader and writer."""

from _json_text import decode, encode


def scanstring(s, end, strict=True):
    """The string that begins behind the quote before `end`, and where it ends."""
    if s[end - 1:end] == '"':
        return decode(s, end - 1, strict, None, None, None, None, None)
    # What begins it is not looked at.
    text, to = decode('"' + s[end:], 0, strict, None, None, None, None, None)
    return text, end + to - 1


def encode_basestring_ascii(s):
    if not isinstance(s, str):
        raise TypeError(f"first argument must be a string, not {type(s).__name__}")
    return encode(s, False, True, False, True, None, "", "", None, False)


def encode_basestring(s):
    if not isinstance(s, str):
        raise TypeError(f"first argument must be a string, not {type(s).__name__}")
    return encode(s, False, False, False, True, None, "", "", None, False)


class make_scanner:
    def __init__(self, context):
        self.strict = context.strict
        self.object_hook = context.object_hook
        self.object_pairs_hook = context.object_pairs_hook
        self.parse_float = context.parse_float
        self.parse_int = context.parse_int
        self.parse_constant = context.parse_constant
        # The native reader makes plain numbers itself.
        self._float = None if context.parse_float is float else context.parse_float
        self._int = None if context.parse_int is int else context.parse_int

    def __call__(self, string, idx):
        if idx < 0:
            raise ValueError("idx cannot be negative")
        if idx >= len(string):
            raise StopIteration(idx)
        return decode(string, idx, self.strict, self.object_hook, self.object_pairs_hook,
                      self._float, self._int, self.parse_constant)


class make_encoder:
    def __init__(self, markers, default, encoder, indent, key_separator, item_separator, sort_keys, skipkeys,
                 allow_nan):
        if markers is not None and not isinstance(markers, dict):
            raise TypeError(f"make_encoder() argument 1 must be dict or None, not {type(markers).__name__}")
        if encoder not in (encode_basestring, encode_basestring_ascii):
            raise TypeError("make_encoder() argument 3 must be encode_basestring or encode_basestring_ascii")
        self.markers = markers
        self.default = default
        self.encoder = encoder
        self.indent = indent
        self.key_separator = key_separator
        self.item_separator = item_separator
        self.sort_keys = sort_keys
        self.skipkeys = skipkeys
        self.allow_nan = allow_nan

    def __call__(self, obj, _current_indent_level):
        return encode(obj, self.skipkeys, self.encoder is encode_basestring_ascii, self.markers is not None,
                      self.allow_nan, self.indent, self.item_separator, self.key_separator, self.default,
                      self.sort_keys),

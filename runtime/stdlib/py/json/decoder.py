"""`JSONDecoder` over the native reader."""

from _json import decode as _decode


class JSONDecodeError(ValueError):
    def __init__(self, msg, doc, pos):
        self.lineno = doc.count("\n", 0, pos) + 1
        self.colno = pos - doc.rfind("\n", 0, pos)
        super().__init__(f"{msg}: line {self.lineno} column {self.colno} (char {pos})")
        self.msg, self.doc, self.pos = msg, doc, pos

    def __reduce__(self):
        return self.__class__, (self.msg, self.doc, self.pos)


def _skip_space(s, at):
    while at < len(s) and s[at] in " \t\n\r":
        at += 1
    return at


def scanstring(s, end, strict=True):
    """The string that begins behind the quote before `end`, and where it ends."""
    return _decode(s, end - 1, strict, None, None, None, None, None)


class JSONDecoder:
    def __init__(self, *, object_hook=None, parse_float=None, parse_int=None, parse_constant=None,
                 strict=True, object_pairs_hook=None):
        self.object_hook = object_hook
        self.parse_float = parse_float
        self.parse_int = parse_int
        self.parse_constant = parse_constant
        self.strict = strict
        self.object_pairs_hook = object_pairs_hook

    def decode(self, s):
        value, end = self.raw_decode(s, _skip_space(s, 0))
        end = _skip_space(s, end)
        if end != len(s):
            raise JSONDecodeError("Extra data", s, end)
        return value

    def raw_decode(self, s, idx=0):
        return _decode(s, idx, self.strict, self.object_hook, self.object_pairs_hook,
                       self.parse_float, self.parse_int, self.parse_constant)

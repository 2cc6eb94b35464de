"""Regular expressions; patterns and matches are native."""

from _re import Match, Pattern, compile as _compile, purge

__all__ = ["match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer", "compile",
           "purge", "escape", "error", "Pattern", "Match", "A", "I", "L", "M", "S", "X", "U", "ASCII",
           "IGNORECASE", "LOCALE", "MULTILINE", "DOTALL", "VERBOSE", "UNICODE", "NOFLAG", "RegexFlag"]


class RegexFlag(int):
    """Flags; a light stand-in for an `enum.IntFlag`, which few scripts look at."""

    __slots__ = ()

    def __repr__(self):
        names = [name for name, bit in _NAMES if self & bit]
        return "|".join("re." + name for name in names) or "re.NOFLAG"

    __str__ = __repr__

    @property
    def name(self):
        return "|".join(name for name, bit in _NAMES if self & bit)

    @property
    def value(self):
        return int(self)

    def __or__(self, other):
        return RegexFlag(int(self) | int(other))

    def __and__(self, other):
        return RegexFlag(int(self) & int(other))

    def __xor__(self, other):
        return RegexFlag(int(self) ^ int(other))

    def __invert__(self):
        return RegexFlag(~int(self) & 511)

    __ror__, __rand__, __rxor__ = __or__, __and__, __xor__


_NAMES = (("IGNORECASE", 2), ("LOCALE", 4), ("MULTILINE", 8), ("DOTALL", 16), ("UNICODE", 32), ("VERBOSE", 64),
          ("DEBUG", 128), ("ASCII", 256))
NOFLAG = RegexFlag(0)
T = TEMPLATE = RegexFlag(1)
I = IGNORECASE = RegexFlag(2)
L = LOCALE = RegexFlag(4)
M = MULTILINE = RegexFlag(8)
S = DOTALL = RegexFlag(16)
U = UNICODE = RegexFlag(32)
X = VERBOSE = RegexFlag(64)
DEBUG = RegexFlag(128)
A = ASCII = RegexFlag(256)


class error(Exception):
    __module__ = "re"

    def __init__(self, msg, pattern=None, pos=None):
        self.msg, self.pattern, self.pos = msg, pattern, pos
        self.lineno = self.colno = None
        if pattern is not None and pos is not None:
            msg = f"{msg} at position {pos}"
            newline = "\n" if isinstance(pattern, str) else b"\n"
            self.lineno = pattern.count(newline, 0, pos) + 1
            self.colno = pos - pattern.rfind(newline, 0, pos)
            if newline in pattern:
                msg = f"{msg} (line {self.lineno}, column {self.colno})"
        super().__init__(msg)


def compile(pattern, flags=0):
    return _compile(pattern, flags)


def match(pattern, string, flags=0):
    return _compile(pattern, flags).match(string)


def fullmatch(pattern, string, flags=0):
    return _compile(pattern, flags).fullmatch(string)


def search(pattern, string, flags=0):
    return _compile(pattern, flags).search(string)


def sub(pattern, repl, string, count=0, flags=0):
    return _compile(pattern, flags).sub(repl, string, count)


def subn(pattern, repl, string, count=0, flags=0):
    return _compile(pattern, flags).subn(repl, string, count)


def split(pattern, string, maxsplit=0, flags=0):
    return _compile(pattern, flags).split(string, maxsplit)


def findall(pattern, string, flags=0):
    return _compile(pattern, flags).findall(string)


def finditer(pattern, string, flags=0):
    return _compile(pattern, flags).finditer(string)


_SPECIAL = {c: "\\" + chr(c) for c in b"()[]{}?*+-|^$\\.&~# \t\n\r\v\f"}


def escape(pattern):
    if isinstance(pattern, str):
        return pattern.translate(_SPECIAL)
    return str(pattern, "latin1").translate(_SPECIAL).encode("latin1")


def __getattr__(name):
    if name == "Scanner":
        from _re_scanner import Scanner
        return Scanner
    raise AttributeError(f"module 're' has no attribute {name!r}")

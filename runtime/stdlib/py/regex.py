"""The package `regex` on the engine of `re`: its syntax and its interface as far as that engine goes."""

import enum

from _re import compile as _compile, purge as _purge

__all__ = ["cache_all", "compile", "DEFAULT_VERSION", "escape", "findall", "finditer", "fullmatch", "match", "prefixmatch",
           "purge", "search", "split", "splititer", "sub", "subf", "subfn", "subn", "template", "Scanner", "A", "ASCII", "B",
           "BESTMATCH", "D", "DEBUG", "E", "ENHANCEMATCH", "S", "DOTALL", "F", "FULLCASE", "I", "IGNORECASE", "L", "LOCALE",
           "M", "MULTILINE", "P", "POSIX", "R", "REVERSE", "T", "TEMPLATE", "U", "UNICODE", "V0", "VERSION0", "V1",
           "VERSION1", "X", "VERBOSE", "W", "WORD", "error", "Regex", "__version__", "__doc__", "RegexFlag"]

__version__ = "2026.11.19"


class RegexFlag(enum.IntFlag):
    A = ASCII = 0x80
    B = BESTMATCH = 0x1000
    D = DEBUG = 0x200
    E = ENHANCEMATCH = 0x8000
    F = FULLCASE = 0x4000
    I = IGNORECASE = 0x2
    L = LOCALE = 0x4
    M = MULTILINE = 0x8
    P = POSIX = 0x10000
    R = REVERSE = 0x400
    S = DOTALL = 0x10
    U = UNICODE = 0x20
    V0 = VERSION0 = 0x2000
    V1 = VERSION1 = 0x100
    W = WORD = 0x800
    X = VERBOSE = 0x40
    T = TEMPLATE = 0x1

    def __repr__(self):
        return "|".join(f"regex.{name}" for name in _SHORT if self & RegexFlag[name]) or "regex.RegexFlag(0)"

    __str__ = __repr__


_SHORT = ("A", "B", "D", "E", "F", "I", "L", "M", "P", "R", "S", "U", "V0", "V1", "W", "X", "T")
globals().update(RegexFlag.__members__)
DEFAULT_VERSION = V0
# What both number alike; ASCII is 256 in `re`.
_SHARED = IGNORECASE | LOCALE | MULTILINE | DOTALL | UNICODE | VERBOSE
_REFUSED = (BESTMATCH, ENHANCEMATCH, FULLCASE, POSIX, REVERSE, WORD, DEBUG)


class error(Exception):
    """What is wrong with a pattern."""

    __module__ = "regex._regex_core"

    def __init__(self, message, pattern=None, pos=None):
        self.msg, self.pattern, self.pos = message, pattern, pos
        self.lineno = self.colno = None
        if pattern is not None and pos is not None:
            newline = "\n" if isinstance(pattern, str) else b"\n"
            self.lineno = pattern.count(newline, 0, pos) + 1
            self.colno = pos - pattern.rfind(newline, 0, pos)
            message = f"{message} at position {pos}"
            if newline in pattern:
                message += f" (line {self.lineno}, column {self.colno})"
        super().__init__(message)


def _refuse(what):
    return NotImplementedError(f"regex: {what} is not implemented in janus-jit yet")


def _checked(partial=False, timeout=None):
    if partial:
        raise _refuse("partial=True")
    if timeout is not None:
        raise _refuse("timeout=")


class Match:
    """A match of `regex`, over one of `re`'s engine."""

    __module__ = "_regex"
    partial = False
    fuzzy_counts = (0, 0, 0)
    fuzzy_changes = ([], [], [])

    def __init__(self, pattern, found, string):
        self.re, self._found, self.string = pattern, found, string

    pos = property(lambda self: self._found.pos)
    endpos = property(lambda self: self._found.endpos)
    lastindex = property(lambda self: self._found.lastindex)
    lastgroup = property(lambda self: self._found.lastgroup)

    @property
    def regs(self):
        return tuple(self._found.span(i) for i in range(self.re.groups + 1))

    def group(self, *groups):
        return self._found.group(*groups)

    def groups(self, default=None):
        return self._found.groups(default)

    def groupdict(self, default=None):
        return self._found.groupdict(default)

    def start(self, group=0):
        return self._found.start(group)

    def end(self, group=0):
        return self._found.end(group)

    def span(self, group=0):
        return self._found.span(group)

    def expand(self, template):
        return self._found.expand(template)

    def expandf(self, template):
        return template.format(self.group(), *self.groups(), **self.groupdict())

    def __getitem__(self, group):
        return self._found[group]

    def detach_string(self):
        """A match holds its text for as long as it lives."""

    def _once(self, group):
        if group != 0:
            raise _refuse("what a group matched before its last time (captures, spans, starts, ends)")

    def captures(self, group=0):
        self._once(group)
        return [self.group()]

    def spans(self, group=0):
        self._once(group)
        return [self.span()]

    def starts(self, group=0):
        self._once(group)
        return [self.start()]

    def ends(self, group=0):
        self._once(group)
        return [self.end()]

    def capturesdict(self):
        if self.re.groupindex:
            self._once(1)
        return {}

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        return f"<regex.Match object; span={self.span()}, match={self.group()!r}>"


class Pattern:
    """A pattern of `regex`, over one of `re`'s engine."""

    __module__ = "_regex"

    def __init__(self, pattern, flags):
        version = 1 if flags & VERSION1 else 0
        native = int(flags & _SHARED) | (256 if flags & ASCII else 0)
        self._native = _translated(pattern, native, version)
        own = self._native.flags
        self.flags = int((own & _SHARED) | (ASCII if own & 256 else 0) | (VERSION1 if version else VERSION0))
        self.pattern = pattern
        self.groups, self.groupindex = self._native.groups, self._native.groupindex
        self.named_lists = {}

    def _match(self, found, string):
        return None if found is None else Match(self, found, string)

    def _bounds(self, string, pos, endpos):
        """Both count from the end where they are negative."""
        length = len(string)
        start = 0 if pos is None else max(pos + length, 0) if pos < 0 else pos
        stop = length if endpos is None else max(endpos + length, 0) if endpos < 0 else min(endpos, length)
        return start, stop

    def match(self, string, pos=None, endpos=None, partial=False, concurrent=None, timeout=None):
        _checked(partial, timeout)
        return self._match(self._native.match(string, *self._bounds(string, pos, endpos)), string)

    prefixmatch = match

    def fullmatch(self, string, pos=None, endpos=None, partial=False, concurrent=None, timeout=None):
        _checked(partial, timeout)
        return self._match(self._native.fullmatch(string, *self._bounds(string, pos, endpos)), string)

    def search(self, string, pos=None, endpos=None, partial=False, concurrent=None, timeout=None):
        _checked(partial, timeout)
        return self._match(self._native.search(string, *self._bounds(string, pos, endpos)), string)

    def _all(self, string, pos, endpos, overlapped):
        start, stop = self._bounds(string, pos, endpos)
        if not overlapped:
            return self._native.finditer(string, start, stop)
        return self._overlapping(string, start, stop)

    def _overlapping(self, string, start, stop):
        while start <= stop:
            found = self._native.search(string, start, stop)
            if found is None:
                return
            yield found
            start = found.start() + 1

    def findall(self, string, pos=None, endpos=None, overlapped=False, concurrent=None, timeout=None):
        _checked(timeout=timeout)
        if not overlapped:
            return self._native.findall(string, *self._bounds(string, pos, endpos))
        empty = string[:0]
        found = self._all(string, pos, endpos, True)
        if self.groups == 0:
            return [m.group() for m in found]
        if self.groups == 1:
            return [m.groups(empty)[0] for m in found]
        return [m.groups(empty) for m in found]

    def finditer(self, string, pos=None, endpos=None, overlapped=False, partial=False, concurrent=None, timeout=None):
        _checked(partial, timeout)
        return map(lambda found: Match(self, found, string), self._all(string, pos, endpos, overlapped))

    def split(self, string, maxsplit=0, concurrent=None, timeout=None):
        _checked(timeout=timeout)
        return self._native.split(string, maxsplit)

    def splititer(self, string, maxsplit=0, concurrent=None, timeout=None):
        return iter(self.split(string, maxsplit, concurrent, timeout))

    def subn(self, repl, string, count=0, pos=None, endpos=None, concurrent=None, timeout=None):
        _checked(timeout=timeout)
        if callable(repl):
            replaced = lambda found: repl(Match(self, found, string))
        else:
            replaced = repl
        start, stop = self._bounds(string, pos, endpos)
        if start == 0 and stop == len(string):
            return self._native.subn(replaced, string, count)
        made, number, last = [string[:start]], 0, start
        for found in self._native.finditer(string, start, stop):
            if count and number == count:
                break
            made += [string[last:found.start()], replaced(found) if callable(repl) else found.expand(repl)]
            number, last = number + 1, found.end()
        made.append(string[last:])
        return string[:0].join(made), number

    def sub(self, repl, string, count=0, pos=None, endpos=None, concurrent=None, timeout=None):
        return self.subn(repl, string, count, pos, endpos, concurrent, timeout)[0]

    def subfn(self, format, string, count=0, pos=None, endpos=None, concurrent=None, timeout=None):
        template = format if callable(format) else lambda found: found.expandf(format)
        return self.subn(template, string, count, pos, endpos, concurrent, timeout)

    def subf(self, format, string, count=0, pos=None, endpos=None, concurrent=None, timeout=None):
        return self.subfn(format, string, count, pos, endpos, concurrent, timeout)[0]

    def scanner(self, string, pos=None, endpos=None, overlapped=False, partial=False, concurrent=None, timeout=None):
        raise _refuse("Pattern.scanner")

    def __eq__(self, other):
        if not isinstance(other, Pattern):
            return NotImplemented
        return (self.pattern, self.flags) == (other.pattern, other.flags)

    def __hash__(self):
        return hash((self.pattern, self.flags))

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return compile, (self.pattern, self.flags)

    def __repr__(self):
        shown = RegexFlag(self.flags & ~(UNICODE if isinstance(self.pattern, str) else 0))
        return f"regex.Regex({self.pattern!r}, flags={shown!r})"


def _translated(pattern, flags, version):
    import re

    try:
        return _compile(pattern, flags, version)
    except re.error as e:
        message, at = e.msg, e.pos
    raise error(message, pattern, at)


_known = {}


def compile(pattern, flags=0, ignore_unused=False, cache_pattern=None, **kwargs):
    """The pattern, ready to match; keywords are the named lists of the pattern."""
    if isinstance(pattern, Pattern):
        if flags:
            raise ValueError("cannot process flags argument with a compiled pattern")
        return pattern
    if not isinstance(pattern, (str, bytes)):
        raise TypeError("first argument must be a string or compiled pattern")
    if kwargs and not ignore_unused:
        raise ValueError(f"unused keyword argument {next(iter(kwargs))!r}")
    flags = RegexFlag(flags)
    for refused in _REFUSED:
        if flags & refused:
            raise _refuse(f"{refused!r}")
    if flags & VERSION0 and flags & VERSION1:
        raise ValueError("VERSION0 and VERSION1 flags are mutually incompatible")
    if not flags & (VERSION0 | VERSION1):
        flags |= DEFAULT_VERSION
    key = (type(pattern), pattern, int(flags))
    if key not in _known:
        made = Pattern(pattern, flags)
        if cache_pattern is False:
            return made
        if len(_known) >= 500:
            _known.clear()
        _known[key] = made
    return _known[key]


Regex = compile


def match(pattern, string, flags=0, pos=None, endpos=None, partial=False, concurrent=None, timeout=None,
          ignore_unused=False, **kwargs):
    return compile(pattern, flags, ignore_unused, **kwargs).match(string, pos, endpos, partial, concurrent, timeout)


prefixmatch = match


def fullmatch(pattern, string, flags=0, pos=None, endpos=None, partial=False, concurrent=None, timeout=None,
              ignore_unused=False, **kwargs):
    return compile(pattern, flags, ignore_unused, **kwargs).fullmatch(string, pos, endpos, partial, concurrent, timeout)


def search(pattern, string, flags=0, pos=None, endpos=None, partial=False, concurrent=None, timeout=None,
           ignore_unused=False, **kwargs):
    return compile(pattern, flags, ignore_unused, **kwargs).search(string, pos, endpos, partial, concurrent, timeout)


def sub(pattern, repl, string, count=0, flags=0, pos=None, endpos=None, concurrent=None, timeout=None,
        ignore_unused=False, **kwargs):
    return compile(pattern, flags, ignore_unused, **kwargs).sub(repl, string, count, pos, endpos, concurrent, timeout)


def subn(pattern, repl, string, count=0, flags=0, pos=None, endpos=None, concurrent=None, timeout=None,
         ignore_unused=False, **kwargs):
    return compile(pattern, flags, ignore_unused, **kwargs).subn(repl, string, count, pos, endpos, concurrent, timeout)


def subf(pattern, format, string, count=0, flags=0, pos=None, endpos=None, concurrent=None, timeout=None,
         ignore_unused=False, **kwargs):
    return compile(pattern, flags, ignore_unused, **kwargs).subf(format, string, count, pos, endpos, concurrent, timeout)


def subfn(pattern, format, string, count=0, flags=0, pos=None, endpos=None, concurrent=None, timeout=None,
          ignore_unused=False, **kwargs):
    return compile(pattern, flags, ignore_unused, **kwargs).subfn(format, string, count, pos, endpos, concurrent, timeout)


def split(pattern, string, maxsplit=0, flags=0, concurrent=None, timeout=None, ignore_unused=False, **kwargs):
    return compile(pattern, flags, ignore_unused, **kwargs).split(string, maxsplit, concurrent, timeout)


def splititer(pattern, string, maxsplit=0, flags=0, concurrent=None, timeout=None, ignore_unused=False, **kwargs):
    return compile(pattern, flags, ignore_unused, **kwargs).splititer(string, maxsplit, concurrent, timeout)


def findall(pattern, string, flags=0, pos=None, endpos=None, overlapped=False, concurrent=None, timeout=None,
            ignore_unused=False, **kwargs):
    made = compile(pattern, flags, ignore_unused, **kwargs)
    return made.findall(string, pos, endpos, overlapped, concurrent, timeout)


def finditer(pattern, string, flags=0, pos=None, endpos=None, overlapped=False, partial=False, concurrent=None,
             timeout=None, ignore_unused=False, **kwargs):
    made = compile(pattern, flags, ignore_unused, **kwargs)
    return made.finditer(string, pos, endpos, overlapped, partial, concurrent, timeout)


def template(pattern, flags=0):
    return compile(pattern, flags | TEMPLATE)


def purge():
    _known.clear()
    _purge()


def cache_all(value=True):
    if value is None:
        return True
    if not value:
        raise _refuse("cache_all(False)")


_ALNUM = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
_META = frozenset("()[]{}?*+|^$\\.-#&~")


def escape(pattern, special_only=True, literal_spaces=False):
    """The pattern that matches a text and nothing else."""
    is_bytes = isinstance(pattern, bytes)
    text = pattern.decode("latin-1") if is_bytes else pattern
    made = []
    for c in text:
        if literal_spaces and c == " ":
            made.append(c)
        elif c == "\0":
            made.append("\\000")
        elif c in _META or special_only and c.isspace() or not special_only and c not in _ALNUM:
            made.append("\\" + c)
        else:
            made.append(c)
    text = "".join(made)
    return text.encode("latin-1") if is_bytes else text


class Scanner:
    def __init__(self, lexicon, flags=0):
        raise _refuse("Scanner")

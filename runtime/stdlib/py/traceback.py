"""Printing of exceptions and of stacks."""

import sys
import textwrap
from _traceback import marked as _marked, only as _only

__all__ = ["extract_stack", "extract_tb", "format_exception", "format_exception_only", "format_list", "format_stack",
           "format_tb", "print_exc", "format_exc", "print_exception", "print_last", "print_stack", "print_tb",
           "clear_frames", "FrameSummary", "StackSummary", "TracebackException", "walk_stack", "walk_tb", "print_list"]

_CAUSE = "\nThe above exception was the direct cause of the following exception:\n\n"
_CONTEXT = "\nDuring handling of the above exception, another exception occurred:\n\n"
_HEADING = "Traceback (most recent call last):\n"
# How often a line is shown in a row before the rest is counted.
_REPEATED = 3
_sentinel = object()
_linecache = None


def _source():
    """`linecache`, imported when it is first wanted; it can be had until the very end of a program."""
    global _linecache
    if _linecache is None:
        import linecache
        _linecache = linecache
    return _linecache


def _to(file, lines):
    file = sys.stderr if file is None else file
    for line in lines:
        print(line, file=file, end="")


# Frames


class FrameSummary:
    """A place in a stack: it holds no frame, so it keeps nothing alive."""

    __slots__ = ("filename", "lineno", "end_lineno", "colno", "end_colno", "name", "_line", "locals")

    def __init__(self, filename, lineno, name, *, lookup_line=True, locals=None, line=None, end_lineno=None, colno=None,
                 end_colno=None):
        self.filename, self.lineno, self.name = filename, lineno, name
        self._line = line
        if lookup_line:
            self.line
        self.locals = {k: repr(v) for k, v in locals.items()} if locals else None
        self.end_lineno, self.colno, self.end_colno = end_lineno, colno, end_colno

    def __eq__(self, other):
        if isinstance(other, FrameSummary):
            return self._key() == other._key() and self.locals == other.locals
        if isinstance(other, tuple):
            return tuple(self) == other
        return NotImplemented

    def _key(self):
        return self.filename, self.lineno, self.name

    def __getitem__(self, at):
        return (self.filename, self.lineno, self.name, self.line)[at]

    def __iter__(self):
        return iter((self.filename, self.lineno, self.name, self.line))

    def __len__(self):
        return 4

    def __repr__(self):
        return f"<FrameSummary file {self.filename}, line {self.lineno} in {self.name}>"

    @property
    def _original_line(self):
        self.line
        return self._line

    @property
    def line(self):
        if self._line is None:
            if self.lineno is None:
                return None
            self._line = _source().getline(self.filename, self.lineno)
        return self._line.strip()


def walk_stack(f):
    if f is None:
        f = sys._getframe().f_back.f_back
    while f is not None:
        yield f, f.f_lineno
        f = f.f_back


def walk_tb(tb):
    while tb is not None:
        yield tb.tb_frame, tb.tb_lineno
        tb = tb.tb_next


def _place(code, lasti):
    """First and last line and column of an instruction."""
    for at, place in enumerate(code.co_positions()):
        if at == lasti // 2:
            return place
    return None, None, None, None


class StackSummary(list):
    """The places of a stack, the innermost last."""

    @classmethod
    def extract(klass, frame_gen, *, limit=None, lookup_lines=True, capture_locals=False):
        found = ((frame, (lineno, None, None, None)) for frame, lineno in frame_gen)
        return klass._of(found, limit, lookup_lines, capture_locals)

    @classmethod
    def _of(klass, found, limit, lookup_lines, capture_locals):
        if limit is None:
            limit = getattr(sys, "tracebacklimit", None)
            if limit is not None and limit < 0:
                limit = 0
        found = list(found)
        if limit is not None:
            found = found[:limit] if limit >= 0 else found[limit:]
        result = klass()
        for frame, (lineno, end_lineno, colno, end_colno) in found:
            code = frame.f_code
            summary = FrameSummary(
                code.co_filename, lineno, code.co_name, lookup_line=False, locals=frame.f_locals if capture_locals else None,
                end_lineno=end_lineno, colno=colno, end_colno=end_colno)
            result.append(summary)
        for name in {summary.filename for summary in result}:
            _source().checkcache(name)
        if lookup_lines:
            for summary in result:
                summary.line
        return result

    @classmethod
    def from_list(klass, a_list):
        result = klass()
        for entry in a_list:
            if not isinstance(entry, FrameSummary):
                filename, lineno, name, line = entry
                entry = FrameSummary(filename, lineno, name, line=line)
            result.append(entry)
        return result

    def format_frame_summary(self, frame_summary):
        summary = frame_summary
        text = f'  File "{summary.filename}", line {summary.lineno}, in {summary.name}\n'
        if summary.line:
            if summary.colno is None or summary.end_colno is None:
                text += f"    {summary.line.strip()}\n"
            else:
                line = summary._original_line.rstrip("\n")
                text += _marked(line, summary.lineno, summary.end_lineno, summary.colno, summary.end_colno)
        if summary.locals:
            text += "".join(f"    {name} = {value}\n" for name, value in sorted(summary.locals.items()))
        return text

    def format(self):
        result, before, count = [], None, 0

        def rest():
            more = count - _REPEATED
            if more > 0:
                result.append(f"  [Previous line repeated {more} more time{'s' if more > 1 else ''}]\n")

        for summary in self:
            text = self.format_frame_summary(summary)
            if text is None:
                continue
            if before is None or summary.lineno is None or summary._key() != before:
                rest()
                before, count = summary._key(), 0
            count += 1
            if count <= _REPEATED:
                result.append(text)
        rest()
        return result


# Exceptions


def _value(exc, value, tb):
    """What of the old three arguments is meant, or of one exception."""
    if (value is _sentinel) != (tb is _sentinel):
        raise ValueError("Both or neither of value and tb must be given")
    if value is not _sentinel:
        return value, tb
    if exc is None:
        return None, None
    if isinstance(exc, BaseException):
        return exc, exc.__traceback__
    raise TypeError(f"Exception expected for value, {type(exc).__name__} found")


class _Margin:
    """How far a group inside of groups is indented."""

    def __init__(self):
        self.depth, self.open = 0, False

    def indent(self):
        return " " * (2 * self.depth)

    def put(self, texts, margin="|"):
        before = self.indent() + (margin + " " if self.depth else "")
        for text in [texts] if isinstance(texts, str) else texts:
            yield textwrap.indent(text, before, lambda line: True)


class TracebackException:
    """An exception as it is printed, without the frames and values that it refers to."""

    def __init__(self, exc_type, exc_value, exc_traceback, *, limit=None, lookup_lines=True, capture_locals=False,
                 compact=False, max_group_width=15, max_group_depth=10, _seen=None):
        seen = set() if _seen is None else _seen
        seen.add(id(exc_value))
        self.max_group_width, self.max_group_depth = max_group_width, max_group_depth
        places = ((tb.tb_frame, (tb.tb_lineno, *_place(tb.tb_frame.f_code, tb.tb_lasti)[1:])) for tb in _entries(exc_traceback))
        self.stack = StackSummary._of(places, limit, lookup_lines, capture_locals)
        self.exc_type = exc_type
        self._only = _lines_of(exc_value)
        try:
            self._str = str(exc_value)
        except Exception:
            self._str = f"<exception {type(exc_value).__name__} str() failed>"
        self.__notes__ = getattr(exc_value, "__notes__", None)
        if isinstance(exc_value, SyntaxError):
            self.filename, self.text, self.msg = exc_value.filename, exc_value.text, exc_value.msg
            self.lineno = None if exc_value.lineno is None else str(exc_value.lineno)
            self.end_lineno = None if exc_value.end_lineno is None else str(exc_value.end_lineno)
            self.offset, self.end_offset = exc_value.offset, exc_value.end_offset

        def inner(value):
            return TracebackException(
                type(value), value, value.__traceback__, limit=limit, lookup_lines=lookup_lines,
                capture_locals=capture_locals, compact=compact, max_group_width=max_group_width,
                max_group_depth=max_group_depth, _seen=seen)

        def linked(value):
            return None if value is None or id(value) in seen else inner(value)

        self.__cause__ = linked(getattr(exc_value, "__cause__", None))
        self.__suppress_context__ = getattr(exc_value, "__suppress_context__", False)
        wanted = not compact or (self.__cause__ is None and not self.__suppress_context__)
        self.__context__ = linked(getattr(exc_value, "__context__", None)) if wanted else None
        self.exceptions = None
        if isinstance(exc_value, BaseExceptionGroup):
            self.exceptions = [inner(part) for part in exc_value.exceptions]

    @classmethod
    def from_exception(cls, exc, *args, **kwargs):
        return cls(type(exc), exc, exc.__traceback__, *args, **kwargs)

    def __eq__(self, other):
        if isinstance(other, TracebackException):
            return self.__dict__ == other.__dict__
        return NotImplemented

    def __str__(self):
        return self._str

    def format_exception_only(self):
        yield from self._only

    def format(self, *, chain=True, _ctx=None):
        margin = _Margin() if _ctx is None else _ctx
        parts, exc = [], self
        while exc is not None:
            joined = None
            if chain and exc.__cause__ is not None:
                exc, joined = exc.__cause__, (exc, _CAUSE)
            elif chain and exc.__context__ is not None and not exc.__suppress_context__:
                exc, joined = exc.__context__, (exc, _CONTEXT)
            else:
                exc, joined = None, (exc, None)
            parts.append(joined)
        for exc, join in reversed(parts):
            if join is not None:
                yield from margin.put(join)
            if exc.exceptions is None:
                if exc.stack:
                    yield from margin.put(_HEADING)
                    yield from margin.put(exc.stack.format())
                yield from margin.put(exc.format_exception_only())
            elif margin.depth > self.max_group_depth:
                yield from margin.put(f"... (max_group_depth is {self.max_group_depth})\n")
            else:
                yield from self._format_group(exc, chain, margin)

    def _format_group(self, exc, chain, margin):
        outermost = margin.depth == 0
        if outermost:
            margin.depth = 1
        if exc.stack:
            yield from margin.put("Exception Group " + _HEADING, "+" if outermost else "|")
            yield from margin.put(exc.stack.format())
        yield from margin.put(exc.format_exception_only())
        more = len(exc.exceptions) - self.max_group_width
        shown = exc.exceptions[: self.max_group_width] + ([None] if more > 0 else [])
        margin.open = False
        for at, part in enumerate(shown):
            last = at == len(shown) - 1
            # The innermost group that ends here draws the line below it.
            margin.open = margin.open or last
            title = "..." if part is None else at + 1
            yield margin.indent() + f"{'  ' if at else '+-'}+---------------- {title} ----------------\n"
            margin.depth += 1
            if part is None:
                yield from margin.put(f"and {more} more exception{'s' if more > 1 else ''}\n")
            else:
                yield from part.format(chain=chain, _ctx=margin)
            if last and margin.open:
                yield margin.indent() + "+------------------------------------\n"
                margin.open = False
            margin.depth -= 1
        if outermost:
            margin.depth = 0

    def print(self, *, file=None, chain=True):
        _to(file, self.format(chain=chain))


def _entries(tb):
    while tb is not None:
        yield tb
        tb = tb.tb_next


def _lines_of(value):
    """The last lines: class, message, notes."""
    if isinstance(value, BaseException):
        return _only(value)
    cls = type(value)
    name = cls.__qualname__ if cls.__module__ in ("builtins", "__main__") else f"{cls.__module__}.{cls.__qualname__}"
    return [f"{name}: {value}\n"]


def format_exception(exc, /, value=_sentinel, tb=_sentinel, limit=None, chain=True):
    value, tb = _value(exc, value, tb)
    return list(TracebackException(type(value), value, tb, limit=limit, compact=True).format(chain=chain))


def format_exception_only(exc, /, value=_sentinel):
    value = exc if value is _sentinel else value
    return _lines_of(value)


def print_exception(exc, /, value=_sentinel, tb=_sentinel, limit=None, file=None, chain=True):
    value, tb = _value(exc, value, tb)
    TracebackException(type(value), value, tb, limit=limit, compact=True).print(file=file, chain=chain)


def format_exc(limit=None, chain=True):
    return "".join(format_exception(*sys.exc_info(), limit=limit, chain=chain))


def print_exc(limit=None, file=None, chain=True):
    print_exception(*sys.exc_info(), limit=limit, file=file, chain=chain)


def print_last(limit=None, file=None, chain=True):
    if not hasattr(sys, "last_type"):
        raise ValueError("no last exception")
    print_exception(sys.last_type, sys.last_value, sys.last_traceback, limit, file, chain)


def extract_tb(tb, limit=None):
    places = ((entry.tb_frame, (entry.tb_lineno, *_place(entry.tb_frame.f_code, entry.tb_lasti)[1:])) for entry in _entries(tb))
    return StackSummary._of(places, limit, True, False)


def format_tb(tb, limit=None):
    return extract_tb(tb, limit).format()


def print_tb(tb, limit=None, file=None):
    _to(file, format_tb(tb, limit))


def format_list(extracted_list):
    return StackSummary.from_list(extracted_list).format()


def print_list(extracted_list, file=None):
    _to(file, format_list(extracted_list))


def extract_stack(f=None, limit=None):
    if f is None:
        f = sys._getframe().f_back
    stack = StackSummary.extract(walk_stack(f), limit=limit)
    stack.reverse()
    return stack


def format_stack(f=None, limit=None):
    return format_list(extract_stack(sys._getframe().f_back if f is None else f, limit))


def print_stack(f=None, limit=None, file=None):
    print_list(extract_stack(sys._getframe().f_back if f is None else f, limit), file)


def clear_frames(tb):
    """Drops the variables of the frames that have ended."""
    for frame, _ in walk_tb(tb):
        try:
            frame.clear()
        except RuntimeError:
            pass  # It still runs.

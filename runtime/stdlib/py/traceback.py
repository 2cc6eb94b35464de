"""Printing of exceptions."""

from _refused import refused
import sys
from _traceback import format as _format, frames as _frames

__all__ = ["print_exc", "print_exception", "print_tb", "print_stack", "format_exc", "format_exception",
           "format_exception_only", "format_tb", "format_stack", "extract_tb", "extract_stack",
           "FrameSummary", "StackSummary", "TracebackException"]


class FrameSummary:
    def __init__(self, filename, lineno, name, *, line=None):
        self.filename, self.lineno, self.name = filename, lineno, name
        self._line = line

    @property
    def line(self):
        if self._line is None:
            import linecache
            self._line = linecache.getline(self.filename, self.lineno).strip()
        return self._line

    def __iter__(self):
        return iter([self.filename, self.lineno, self.name, self.line])

    def __getitem__(self, i):
        return (self.filename, self.lineno, self.name, self.line)[i]

    def __repr__(self):
        return f"<FrameSummary file {self.filename}, line {self.lineno} in {self.name}>"


class StackSummary(list):
    def format(self):
        lines = []
        for frame in self:
            text = f'  File "{frame.filename}", line {frame.lineno}, in {frame.name}\n'
            lines.append(text + (f"    {frame.line}\n" if frame.line else ""))
        return lines


def format_exception_only(exc, value=None):
    if value is None and isinstance(exc, BaseException):
        value = exc
    cls = type(value)
    name = cls.__qualname__ if cls.__module__ in ("builtins", "__main__") else f"{cls.__module__}.{cls.__qualname__}"
    text = str(value)
    return [f"{name}: {text}\n" if text else f"{name}\n"]


def format_exception(exc, value=None, tb=None, limit=None, chain=True):
    if limit is not None:
        raise refused("traceback.format_exception", "limit")
    if not chain:
        raise refused("traceback.format_exception", "chain")
    if value is None and isinstance(exc, BaseException):
        value = exc
    if value is None:
        return ["NoneType: None\n"]
    return _format(value).splitlines(keepends=True)


def format_exc(limit=None, chain=True):
    if limit is not None:
        raise refused("traceback.format_exc", "limit")
    if not chain:
        raise refused("traceback.format_exc", "chain")
    return "".join(format_exception(sys.exc_info()[1]))


def print_exception(exc, value=None, tb=None, limit=None, file=None, chain=True):
    if limit is not None:
        raise refused("traceback.print_exception", "limit")
    if not chain:
        raise refused("traceback.print_exception", "chain")
    (sys.stderr if file is None else file).write("".join(format_exception(exc, value)))


def print_exc(limit=None, file=None, chain=True):
    if limit is not None:
        raise refused("traceback.print_exc", "limit")
    if not chain:
        raise refused("traceback.print_exc", "chain")
    print_exception(sys.exc_info()[1], file=file)


def extract_tb(tb, limit=None):
    summary = StackSummary()
    while tb is not None:
        code = tb.tb_frame.f_code
        summary.append(FrameSummary(code.co_filename, tb.tb_lineno, code.co_name))
        tb = tb.tb_next
    return summary if limit is None else StackSummary(summary[:limit])


def format_tb(tb, limit=None):
    return extract_tb(tb, limit).format()


def print_tb(tb, limit=None, file=None):
    (sys.stderr if file is None else file).write("".join(format_tb(tb, limit)))


def extract_stack(f=None, limit=None):
    if f is not None:
        raise refused("traceback.extract_stack", "f")
    if limit is not None:
        raise refused("traceback.extract_stack", "limit")
    return StackSummary(FrameSummary(*frame) for frame in _frames()[:-1])


def format_stack(f=None, limit=None):
    if f is not None:
        raise refused("traceback.format_stack", "f")
    if limit is not None:
        raise refused("traceback.format_stack", "limit")
    return StackSummary(extract_stack()[:-1]).format()


def print_stack(f=None, limit=None, file=None):
    if f is not None:
        raise refused("traceback.print_stack", "f")
    if limit is not None:
        raise refused("traceback.print_stack", "limit")
    (sys.stderr if file is None else file).write("".join(StackSummary(extract_stack()[:-1]).format()))


class TracebackException:
    def __init__(self, exc_type, exc_value, exc_traceback, **kwargs):
        self.exc_type = exc_type
        self._value = exc_value
        self.stack = extract_tb(exc_traceback)

    @classmethod
    def from_exception(cls, exc, *args, **kwargs):
        return cls(type(exc), exc, exc.__traceback__)

    def format(self, *, chain=True):
        if not chain:
            raise refused("traceback.TracebackException.format", "chain")
        yield from format_exception(self._value)

    def __str__(self):
        return str(self._value)


def clear_frames(tb):
    """Drops the locals of a traceback's frames: frames that are gone hold none here."""

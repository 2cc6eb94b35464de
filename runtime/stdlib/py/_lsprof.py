"""The profiler behind `cProfile`: how often and how long functions run, by whom they are called."""

import sys
from collections import namedtuple
from time import perf_counter

profiler_entry = namedtuple("profiler_entry", "code callcount reccallcount totaltime inlinetime calls")
profiler_subentry = namedtuple("profiler_subentry", "code callcount reccallcount totaltime inlinetime")
_DISABLE = "<method 'disable' of '_lsprof.Profiler' objects>"


class _Counts:
    __slots__ = ("calls", "recursive", "total", "inline", "depth", "callees")

    def __init__(self):
        self.calls = self.recursive = self.depth = 0
        self.total = self.inline = 0.0
        self.callees = {}

    def end(self, total, inline):
        self.depth -= 1
        self.inline += inline
        if self.depth == 0:
            self.total += total
        else:
            self.recursive += 1
        self.calls += 1


def _label(function):
    """How a function in C is shown."""
    owner, name = getattr(function, "__self__", None), function.__name__
    if owner is None or type(owner) is type(sys):
        module = getattr(function, "__module__", None) or getattr(owner, "__name__", "builtins")
        kind = getattr(function, "__objclass__", None)
        if kind is not None:
            return f"<method '{name}' of '{kind.__name__}' objects>"
        return f"<built-in method {module}.{function.__qualname__}>"
    if isinstance(owner, type):
        return f"<built-in method {name}>"
    for kind in type(owner).__mro__:
        if name in vars(kind):
            return f"<method '{name}' of '{kind.__name__}' objects>"
    return f"<built-in method {name}>"


class Profiler:
    def __init__(self, timer=None, timeunit=0.0, subcalls=True, builtins=True):
        self._timer = perf_counter if timer is None else timer
        self._unit = timeunit or 1.0
        self._subcalls, self._builtins = subcalls, builtins
        self._entries, self._stack = {}, []

    def enable(self, subcalls=True, builtins=True):
        self._subcalls, self._builtins = subcalls, builtins
        sys.setprofile(self._event)

    def disable(self):
        sys.setprofile(None)
        while self._stack:
            self._end(self._timer())

    def clear(self):
        self._entries.clear()
        self._stack.clear()

    def _event(self, frame, event, arg):
        now = self._timer()
        if event == "call":
            code = frame.f_code
            self._begin(_DISABLE if code is Profiler.disable.__code__ else code)
        elif event == "return":
            if self._stack:
                self._end(now)
        elif self._builtins and self._stack and self._stack[-1][0] is not _DISABLE or event == "c_call" and not self._stack:
            if event == "c_call":
                self._begin(_label(arg))
            elif self._stack and type(self._stack[-1][0]) is str:
                self._end(now)

    def _begin(self, key):
        counts = self._entries.get(key)
        if counts is None:
            counts = self._entries[key] = _Counts()
        counts.depth += 1
        inner = None
        if self._subcalls and self._stack:
            callees = self._stack[-1][1].callees
            inner = callees.get(key)
            if inner is None:
                inner = callees[key] = _Counts()
            inner.depth += 1
        # Key, counts, counts as seen from the caller, when it began, time in what it called.
        self._stack.append([key, counts, inner, self._timer(), 0.0])

    def _end(self, now):
        key, counts, inner, began, below = self._stack.pop()
        total = (now - began) * self._unit
        if self._stack:
            self._stack[-1][4] += total
        counts.end(total, total - below)
        if inner is not None:
            inner.end(total, total - below)

    def getstats(self):
        found = []
        for key, counts in self._entries.items():
            calls = [profiler_subentry(k, c.calls, c.recursive, c.total, c.inline) for k, c in counts.callees.items()]
            found.append(profiler_entry(key, counts.calls, counts.recursive, counts.total, counts.inline, calls or None))
        return found

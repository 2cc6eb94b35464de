"""The instructions of this machine, which are not CPython's."""

import types

__all__ = ["dis", "findlinestarts", "COMPILER_FLAG_NAMES"]

COMPILER_FLAG_NAMES = {1: "OPTIMIZED", 2: "NEWLOCALS", 4: "VARARGS", 8: "VARKEYWORDS", 16: "NESTED", 32: "GENERATOR",
                       64: "NOFREE", 128: "COROUTINE", 256: "ITERABLE_COROUTINE", 512: "ASYNC_GENERATOR"}


def findlinestarts(code):
    """(index, line) wherever an instruction begins a line."""
    last = None
    for index, (line, *_) in enumerate(code.co_positions()):
        if line is not None and line != last:
            last = line
            yield index, line


def dis(x=None, *, file=None, depth=None, show_caches=False, adaptive=False):
    raise NotImplementedError("dis.dis(): CPython's listing is not there; `janus-jit run --emit bytecode` shows the "
                              "instructions of a script")

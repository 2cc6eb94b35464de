"""Stacks on request. No signal that ends the process comes from a script here, so being enabled has nothing to show."""

import sys
from _refused import refused

_enabled = False


def enable(file=None, all_threads=True):
    global _enabled
    _target(file)
    _enabled = True


def disable():
    global _enabled
    before, _enabled = _enabled, False
    return before


def is_enabled():
    return _enabled


def _target(file):
    file = sys.stderr if file is None else file
    if file is None:
        raise RuntimeError("sys.stderr is None")
    return file if isinstance(file, int) else file.fileno()


def dump_traceback(file=None, all_threads=True):
    import os
    import threading
    if all_threads and threading.active_count() > 1:
        raise refused("faulthandler.dump_traceback", "all_threads")
    who = f"Current thread 0x{threading.get_ident():016x}" if all_threads else "Stack"
    lines = [f"{who} (most recent call first):"]
    frame = sys._getframe(1)
    while frame:
        lines.append(f'  File "{frame.f_code.co_filename}", line {frame.f_lineno} in {frame.f_code.co_name}')
        frame = frame.f_back
    os.write(_target(file), ("\n".join(lines) + "\n").encode())


def dump_traceback_later(timeout, repeat=False, file=None, exit=False):
    raise refused("faulthandler", "dump_traceback_later")


def cancel_dump_traceback_later():
    pass


def register(signum, file=None, all_threads=True, chain=False):
    raise refused("faulthandler", "register")


def unregister(signum):
    return False

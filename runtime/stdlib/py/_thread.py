"""What of threads the library itself asks for: there is one (see `threading`)."""

from threading import Lock, RLock, TIMEOUT_MAX, get_ident

error = RuntimeError
LockType = Lock


def allocate_lock():
    return Lock()


allocate = allocate_lock

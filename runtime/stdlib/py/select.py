"""Waiting for descriptors."""

from _sockets import poll as _poll

error = OSError
POLLIN, POLLPRI, POLLOUT, POLLERR, POLLHUP, POLLNVAL = 1, 2, 4, 8, 16, 32
PIPE_BUF = 4096
# What a set of descriptors of the system's holds.
_SET_SIZE = 1024


def _descriptor(file):
    if isinstance(file, int):
        fd = file
    else:
        method = getattr(file, "fileno", None)
        if method is None:
            raise TypeError("argument must be an int, or have a fileno() method.")
        fd = method()
        if not isinstance(fd, int):
            raise TypeError("fileno() returned a non-integer")
    if fd < 0:
        raise ValueError(f"file descriptor cannot be a negative integer ({fd})")
    return fd


def select(rlist, wlist, xlist, timeout=None, /):
    if timeout is not None and timeout < 0:
        raise ValueError("timeout must be non-negative")
    lists = [[(_descriptor(file), file) for file in files] for files in (rlist, wlist, xlist)]
    for files in lists:
        if any(fd >= _SET_SIZE for fd, _ in files):
            raise ValueError("filedescriptor out of range in select()")
    wanted = {}
    for events, files in zip((POLLIN, POLLOUT, POLLPRI), lists):
        for fd, _ in files:
            wanted[fd] = wanted.get(fd, 0) | events
    came = dict(_poll(list(wanted.items()), timeout))
    if any(events & POLLNVAL for events in came.values()):
        raise OSError(9, "Bad file descriptor")
    masks = POLLIN | POLLHUP | POLLERR, POLLOUT | POLLERR, POLLPRI
    return tuple([file for fd, file in files if came.get(fd, 0) & mask] for files, mask in zip(lists, masks))


class poll:
    """Descriptors that are waited for."""

    def __init__(self):
        self._wanted = {}

    def register(self, fd, eventmask=POLLIN | POLLPRI | POLLOUT, /):
        self._wanted[_descriptor(fd)] = eventmask

    def modify(self, fd, eventmask, /):
        fd = _descriptor(fd)
        if fd not in self._wanted:
            raise FileNotFoundError(2, "No such file or directory")
        self._wanted[fd] = eventmask

    def unregister(self, fd, /):
        del self._wanted[_descriptor(fd)]

    def poll(self, timeout=None, /):
        return _poll(list(self._wanted.items()), None if timeout is None or timeout < 0 else timeout / 1000)

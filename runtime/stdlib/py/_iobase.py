"""What the base classes of streams do for classes of a script that derive from them: each function is the method of its
name, for all base classes.
"""

import _io

_CLOSED = "_IOBase__closed"


def _unsupported(name):
    return _io.UnsupportedOperation(name)


def _check(self):
    if self.closed:
        raise ValueError("I/O operation on closed file.")


def _checkClosed(self, msg=None):
    if self.closed:
        raise ValueError("I/O operation on closed file." if msg is None else msg)


def _checkReadable(self, msg=None):
    if not self.readable():
        raise _unsupported("File or stream is not readable." if msg is None else msg)


def _checkWritable(self, msg=None):
    if not self.writable():
        raise _unsupported("File or stream is not writable." if msg is None else msg)


def _checkSeekable(self, msg=None):
    if not self.seekable():
        raise _unsupported("File or stream is not seekable." if msg is None else msg)


def closed(self):
    return getattr(self, _CLOSED, False)


def close(self):
    if not self.closed:
        try:
            self.flush()
        finally:
            object.__setattr__(self, _CLOSED, True)


def flush(self):
    _check(self)


def seek(self, *args):
    raise _unsupported("seek")


def tell(self):
    if isinstance(self, _io._TextIOBase):
        raise _unsupported("tell")
    return self.seek(0, 1)


def truncate(self, pos=None):
    raise _unsupported("truncate")


def fileno(self):
    raise _unsupported("fileno")


def isatty(self):
    _check(self)
    return False


def readable(self):
    _check(self)
    return False


writable = seekable = readable


def __enter__(self):
    _check(self)
    return self


def __exit__(self, *exc):
    self.close()


def __iter__(self):
    _check(self)
    return self


def __next__(self):
    line = self.readline()
    if not line:
        raise StopIteration
    return line


def read(self, size=-1):
    if not isinstance(self, _io._RawIOBase):
        raise _unsupported("read")
    if size is None or size < 0:
        return self.readall()
    room = bytearray(size)
    n = self.readinto(room)
    return None if n is None else bytes(room[:n])


def readall(self):
    parts = []
    while True:
        data = self.read(8192)
        if not data:
            return data if data is None and not parts else b"".join(parts)
        parts.append(data)


def read1(self, size=-1):
    raise _unsupported("read1")


def _readinto(self, room, data):
    view = memoryview(room).cast("B")
    view[: len(data)] = data
    return len(data)


def readinto(self, room):
    if not isinstance(self, _io._BufferedIOBase):
        raise _unsupported("readinto")
    return _readinto(self, room, self.read(memoryview(room).nbytes))


def readinto1(self, room):
    return _readinto(self, room, self.read1(memoryview(room).nbytes))


def readline(self, size=-1):
    if isinstance(self, _io._TextIOBase):
        raise _unsupported("readline")
    _check(self)
    size = -1 if size is None else size
    peek = getattr(self, "peek", None)
    line = bytearray()
    while size < 0 or len(line) < size:
        wanted = 1
        if peek is not None:
            ahead = peek(1)
            if ahead:
                wanted = ahead.find(b"\n") + 1 or len(ahead)
                wanted = wanted if size < 0 else min(wanted, size - len(line))
        data = self.read(wanted)
        if not data:
            break
        if not isinstance(data, bytes):
            raise OSError(f"read() should have returned a bytes object, not '{type(data).__name__}'")
        line += data
        if data.endswith(b"\n"):
            break
    return bytes(line)


def readlines(self, hint=-1):
    lines, total = [], 0
    for line in self:
        lines.append(line)
        total += len(line)
        if hint is not None and 0 < hint <= total:
            break
    return lines


def write(self, data):
    raise _unsupported("write")


def writelines(self, lines):
    _check(self)
    for line in lines:
        self.write(line)


def detach(self):
    raise _unsupported("detach")

"""Ends of pipes."""


class Connection:
    def __class_getitem__(cls, item):
        return cls

    def __init__(self):
        self._arrived, self._other, self.closed = [], None, False

    def send(self, obj):
        if self._other is None or self._other.closed:
            raise BrokenPipeError("the other end of the pipe is closed")
        self._other._arrived.append(obj)

    def recv(self):
        if not self._arrived:
            raise EOFError("deadlock: nothing was sent and there is no other process")
        return self._arrived.pop(0)

    def poll(self, timeout=0.0):
        return bool(self._arrived)

    def close(self):
        self.closed = True

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()


def Pipe(duplex=True):
    one, other = Connection(), Connection()
    one._other, other._other = other, one
    return one, other

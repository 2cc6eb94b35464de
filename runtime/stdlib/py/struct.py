"""Values in packed bytes; the packing is native."""

from _struct import calcsize, pack, unpack_at as _unpack_at

__all__ = ["calcsize", "pack", "pack_into", "unpack", "unpack_from", "iter_unpack", "Struct", "error"]


class error(Exception):
    pass


def unpack(format, buffer, /):
    return _unpack_at(format, buffer, 0, True)


def unpack_from(format, /, buffer, offset=0):
    return _unpack_at(format, buffer, offset, False)


def pack_into(format, buffer, offset, *values):
    data = pack(format, *values)
    if offset < 0:
        offset += len(buffer)
    if offset + len(data) > len(buffer):
        raise error(f"pack_into requires a buffer of at least {offset + len(data)} bytes for packing {len(data)} "
                    f"bytes at offset {offset} (actual buffer size is {len(buffer)})")
    buffer[offset:offset + len(data)] = data


def iter_unpack(format, buffer, /):
    size = calcsize(format)
    if size == 0 or len(buffer) % size:
        raise error(f"iterative unpacking requires a buffer of a multiple of {size} bytes")
    return (unpack_from(format, buffer, offset) for offset in range(0, len(buffer), size))


class Struct:
    def __init__(self, format):
        self.format = format.decode() if isinstance(format, bytes) else format
        self.size = calcsize(format)

    def pack(self, *values):
        return pack(self.format, *values)

    def pack_into(self, buffer, offset, *values):
        pack_into(self.format, buffer, offset, *values)

    def unpack(self, buffer):
        return unpack(self.format, buffer)

    def unpack_from(self, buffer, offset=0):
        return unpack_from(self.format, buffer, offset)

    def iter_unpack(self, buffer):
        return iter_unpack(self.format, buffer)

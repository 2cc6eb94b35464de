"""The compressor and decompressor of `bz2`; the work is native."""

from _bzip2 import compress as _compress, decompress as _decompress


class BZ2Compressor:
    def __init__(self, compresslevel=9, /):
        if not 1 <= compresslevel <= 9:
            raise ValueError("compresslevel must be between 1 and 9")
        self._level, self._data, self._flushed = compresslevel, bytearray(), False

    def compress(self, data, /):
        if self._flushed:
            raise ValueError("Compressor has been flushed")
        self._data += data
        return b""

    def flush(self):
        if self._flushed:
            raise ValueError("Repeated call to flush()")
        self._flushed = True
        return _compress(self._data, self._level)


class BZ2Decompressor:
    def __init__(self):
        self._data, self._made, self._given = bytearray(), b"", 0
        self.eof, self.needs_input, self.unused_data = False, True, b""

    def decompress(self, data, max_length=-1):
        if self.eof:
            raise EOFError("End of stream already reached")
        self._data += data
        if data:
            found = _decompress(self._data)
            if found is None:
                raise OSError("Invalid data stream")
            self._made, used, self._finished = found
            if self._finished:
                self.unused_data = bytes(self._data[used:])
        end = len(self._made) if max_length < 0 else min(len(self._made), self._given + max_length)
        out = self._made[self._given:end]
        self._given = end
        drained = end == len(self._made)
        self.eof = drained and self._finished
        self.needs_input = drained and not self._finished
        if self.eof:
            self._data, self._made = bytearray(), b""
        return out

    _finished = False

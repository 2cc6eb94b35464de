"""Compression in zlib's formats; the work is native."""

from _refused import refused
from _binascii import crc32
from _zlib import adler32, deflater as _deflater, inflater as _inflater

MAX_WBITS = 15
DEFLATED = 8
DEF_MEM_LEVEL, DEF_BUF_SIZE = 8, 16384
Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED = 0, 1, 2, 3, 4
Z_DEFAULT_COMPRESSION, Z_NO_COMPRESSION, Z_BEST_SPEED, Z_BEST_COMPRESSION = -1, 0, 1, 9
Z_NO_FLUSH, Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_FINISH, Z_BLOCK, Z_TREES = 0, 1, 2, 3, 4, 5, 6
# The version of the format's library that is followed.
ZLIB_VERSION = ZLIB_RUNTIME_VERSION = "1.2.13"


class error(Exception):
    pass


error.__module__ = "zlib"


def compress(data, /, level=-1, wbits=MAX_WBITS):
    if not -1 <= level <= 9:
        raise error("Bad compression level")
    try:
        return _deflater(level, wbits, None).step(data, Z_FINISH)
    except ValueError:
        raise error("Bad compression level") from None


def decompress(data, /, wbits=MAX_WBITS, bufsize=DEF_BUF_SIZE):
    if bufsize < 0:
        raise ValueError("bufsize must be non-negative")
    result = _inflater(wbits, None).step(data, 0)
    if isinstance(result, str):
        raise error(result)
    out, _used, finished = result
    if not finished:
        raise error("Error -5 while decompressing data: incomplete or truncated stream")
    return out


class Compress:
    def __init__(self, stream):
        self._stream = stream

    def _step(self, data, mode, doing):
        out = None if self._stream is None else self._stream.step(data, mode)
        if out is None:
            raise error(f"Error -2 while {doing}: inconsistent stream state")
        return out

    def compress(self, data, /):
        return self._step(data, Z_NO_FLUSH, "compressing data")

    def flush(self, mode=Z_FINISH, /):
        if mode == Z_NO_FLUSH:
            return b""
        if mode in (Z_BLOCK, Z_TREES):
            raise refused("zlib.Compress.flush", "mode")
        out = self._step(b"", mode, "flushing")
        if mode == Z_FINISH:
            self._stream = None
        return out

    def copy(self):
        if self._stream is None:
            raise ValueError("Inconsistent stream state")
        raise NotImplementedError("copies of compression objects are not implemented in janus-jit yet")

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce_ex__(self, protocol):
        raise TypeError(f"cannot pickle '{type(self).__module__}.{type(self).__name__}' object")


def compressobj(level=-1, method=DEFLATED, wbits=MAX_WBITS, memLevel=DEF_MEM_LEVEL, strategy=Z_DEFAULT_STRATEGY,
                zdict=None):
    if method != DEFLATED or not 1 <= memLevel <= 9 or not 0 <= strategy <= 4 or not -1 <= level <= 9:
        raise ValueError("Invalid initialization option")
    return Compress(_deflater(level, wbits, zdict))


class Decompress:
    def __init__(self, stream):
        self._stream = stream
        self.eof = False
        self.unused_data = self.unconsumed_tail = b""

    def decompress(self, data, /, max_length=0):
        if max_length < 0:
            raise ValueError("max_length must be non-negative")
        return self._more(data, max_length)

    def _more(self, data, most):
        if self.eof:
            self.unused_data += bytes(data)
            self.unconsumed_tail = b""
            return b""
        result = self._stream.step(data, most)
        if isinstance(result, str):
            raise error(result)
        out, used, self.eof = result
        rest = memoryview(data).cast("B")[used:]
        if self.eof:
            self.unused_data, self.unconsumed_tail = bytes(rest), b""
        else:
            self.unconsumed_tail = bytes(rest)
        return out

    def flush(self, length=DEF_BUF_SIZE, /):
        if length <= 0:
            raise ValueError("length must be greater than zero")
        return b"" if self.eof else self._more(self.unconsumed_tail, 0)

    def copy(self):
        raise NotImplementedError("copies of decompression objects are not implemented in janus-jit yet")

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce_ex__(self, protocol):
        raise TypeError(f"cannot pickle '{type(self).__module__}.{type(self).__name__}' object")


def decompressobj(wbits=MAX_WBITS, zdict=None):
    if zdict is not None:
        try:
            memoryview(zdict)
        except TypeError:
            raise TypeError("zdict argument must support the buffer protocol") from None
    return Decompress(_inflater(wbits, zdict))


for _class in (Compress, Decompress):
    _class.__module__ = "zlib"

"""Compression in zlib's formats; the work is native."""

from _refused import refused
from _binascii import crc32
from _zlib import adler32, deflate as _deflate, inflate as _inflate

MAX_WBITS = 15
DEFLATED = 8
DEF_MEM_LEVEL, DEF_BUF_SIZE = 8, 16384
Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED = 0, 1, 2, 3, 4
Z_DEFAULT_COMPRESSION, Z_NO_COMPRESSION, Z_BEST_SPEED, Z_BEST_COMPRESSION = -1, 0, 1, 9
Z_NO_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_FINISH = 0, 2, 3, 4


class error(Exception):
    pass


def compress(data, /, level=-1, wbits=MAX_WBITS):
    return _deflate(data, level, wbits)


def decompress(data, /, wbits=MAX_WBITS, bufsize=16384):
    out, used, finished = _checked(data, wbits)
    if not finished:
        raise error("Error -5 while decompressing data: incomplete or truncated stream")
    return out


def _checked(data, wbits):
    if wbits > 15:
        import gzip
        return gzip.decompress(data), len(data), True
    result = _inflate(data, wbits)
    if isinstance(result, str):
        raise error(result)
    return result


class _Compress:
    def __init__(self, level, wbits):
        self._level, self._wbits, self._parts = level, wbits, []

    def compress(self, data):
        self._parts.append(bytes(data))
        return b""

    def flush(self, mode=Z_FINISH):
        data, self._parts = b"".join(self._parts), []
        return _deflate(data, self._level, self._wbits)


def compressobj(level=-1, method=DEFLATED, wbits=MAX_WBITS, memLevel=8, strategy=0, zdict=None):
    if method is not DEFLATED:
        raise refused("zlib.compressobj", "method")
    if zdict is not None:
        raise refused("zlib.compressobj", "zdict")
    return _Compress(level, wbits)


class _Decompress:
    def __init__(self, wbits):
        self._wbits = wbits
        self._data = b""
        self._given = 0
        self.eof = False
        self.unused_data = self.unconsumed_tail = b""

    def decompress(self, data, max_length=0):
        if self.eof:
            self.unused_data += data
            return b""
        self._data += data
        out, used, self.eof = _checked(self._data, self._wbits)
        if self.eof:
            self.unused_data = self._data[used:]
        fresh = out[self._given:]
        self._given = len(out)
        return fresh

    def flush(self, length=0):
        return b""


def decompressobj(wbits=MAX_WBITS, zdict=b""):
    if zdict != b"":
        raise refused("zlib.decompressobj", "zdict")
    return _Decompress(wbits)

"""Gzip files."""

import io
import struct
import time
import zlib

__all__ = ["BadGzipFile", "GzipFile", "open", "compress", "decompress"]


class BadGzipFile(OSError):
    pass


def compress(data, compresslevel=9, *, mtime=None):
    head = b"\x1f\x8b\x08\x00" + struct.pack("<I", int(time.time() if mtime is None else mtime))
    body = zlib.compress(data, compresslevel, -15)
    return head + b"\x02\xff" + body + struct.pack("<II", zlib.crc32(data), len(data) & 0xFFFFFFFF)


def decompress(data):
    out = []
    while data:
        if data[:2] != b"\x1f\x8b":
            raise BadGzipFile(f"Not a gzipped file ({data[:2]!r})")
        if len(data) < 10:
            raise EOFError("Compressed file ended before the end-of-stream marker was reached")
        flags, at = data[3], 10
        if flags & 4:
            at += 2 + struct.unpack_from("<H", data, at)[0]
        for bit in (8, 16):
            if flags & bit:
                at = data.index(b"\x00", at) + 1
        if flags & 2:
            at += 2
        inflate = zlib.decompressobj(-15)
        part = inflate.decompress(data[at:])
        rest = inflate.unused_data
        if not inflate.eof or len(rest) < 8:
            raise EOFError("Compressed file ended before the end-of-stream marker was reached")
        crc, size = struct.unpack_from("<II", rest)
        if crc != zlib.crc32(part):
            raise BadGzipFile("CRC check failed")
        if size != len(part) & 0xFFFFFFFF:
            raise BadGzipFile("Incorrect length of data produced")
        out.append(part)
        data = rest[8:].lstrip(b"\x00")
    return b"".join(out)


class GzipFile(io.BufferedIOBase):
    """Read or written as a whole: the data is kept in memory."""

    def __init__(self, filename=None, mode=None, compresslevel=9, fileobj=None, mtime=None):
        mode = (mode or getattr(fileobj, "mode", "rb")).replace("t", "").replace("U", "")
        self._writing = mode[0] in "wax"
        if "b" not in mode:
            mode += "b"
        self._owned = fileobj is None
        self._file = io.open(filename, mode) if fileobj is None else fileobj
        self.name = filename if filename is not None else getattr(fileobj, "name", "")
        self.mode = 2 if self._writing else 1
        self._level, self._mtime = compresslevel, mtime
        self._data = io.BytesIO()
        self._loaded = self._writing
        self._closed = False

    @property
    def closed(self):
        return self._closed

    def _reader(self):
        if self._closed:
            raise ValueError("I/O operation on closed file.")
        if self._writing:
            raise OSError(9, "read() on write-only GzipFile object")
        if not self._loaded:
            self._data = io.BytesIO(decompress(self._file.read()))
            self._loaded = True
        return self._data

    def read(self, size=-1):
        return self._reader().read(-1 if size is None else size)

    read1 = read

    def readline(self, size=-1):
        return self._reader().readline(size)

    def readlines(self, hint=None):
        return self._reader().readlines()

    def peek(self, n=1):
        reader = self._reader()
        at = reader.tell()
        data = reader.read(n)
        reader.seek(at)
        return data

    def readinto(self, b):
        return self._reader().readinto(b)

    def write(self, data):
        if not self._writing:
            raise OSError(9, "write() on read-only GzipFile object")
        return self._data.write(bytes(data))

    def seek(self, offset, whence=0):
        return (self._data if self._writing else self._reader()).seek(offset, whence)

    def tell(self):
        return (self._data if self._writing else self._reader()).tell()

    def flush(self, zlib_mode=None):
        pass

    def close(self):
        if self._closed:
            return
        self._closed = True
        if self._writing:
            self._file.write(compress(self._data.getvalue(), self._level, mtime=self._mtime))
        if self._owned:
            self._file.close()

    def readable(self):
        return not self._writing

    def writable(self):
        return self._writing

    def seekable(self):
        return True

    def __iter__(self):
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()


class _TextWriter(io.StringIO):
    """Text for a gzip file; written when it is closed."""

    def __new__(cls, *args, **kwargs):
        return io.StringIO.__new__(cls)

    def __init__(self, target, encoding):
        super().__init__()
        self._target, self._encoding = target, encoding

    def close(self):
        if not self.closed:
            self._target.write(self.getvalue().encode(self._encoding))
            self._target.close()
            super().close()

    def __exit__(self, *exc):
        self.close()


def open(filename, mode="rb", compresslevel=9, encoding=None, errors=None, newline=None):
    if "t" in mode and "b" in mode:
        raise ValueError(f"Invalid mode: {mode!r}")
    if isinstance(filename, (str, bytes)) or hasattr(filename, "__fspath__"):
        binary = GzipFile(filename, mode.replace("t", ""), compresslevel)
    else:
        binary = GzipFile(None, mode.replace("t", ""), compresslevel, filename)
    if "t" not in mode:
        return binary
    if binary.writable():
        return _TextWriter(binary, encoding or "utf-8")
    return io.TextIOWrapper(binary, encoding, errors, newline)

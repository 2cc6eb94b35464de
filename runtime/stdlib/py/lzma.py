"""The formats .xz and .lzma; the work is native."""

import builtins
import io
import os

import _compression
import _xz

FORMAT_AUTO, FORMAT_XZ, FORMAT_ALONE, FORMAT_RAW = range(4)
CHECK_NONE, CHECK_CRC32, CHECK_CRC64, CHECK_SHA256, CHECK_ID_MAX, CHECK_UNKNOWN = 0, 1, 4, 10, 15, 16
FILTER_LZMA1, FILTER_LZMA2, FILTER_DELTA = 0x4000000000000001, 0x21, 3
FILTER_X86, FILTER_POWERPC, FILTER_IA64, FILTER_ARM, FILTER_ARMTHUMB, FILTER_SPARC = range(4, 10)
MF_HC3, MF_HC4, MF_BT2, MF_BT3, MF_BT4 = 3, 4, 0x12, 0x13, 0x14
MODE_FAST, MODE_NORMAL = 1, 2
PRESET_DEFAULT, PRESET_EXTREME = 6, 1 << 31

__all__ = [
    "CHECK_NONE", "CHECK_CRC32", "CHECK_CRC64", "CHECK_SHA256", "CHECK_ID_MAX", "CHECK_UNKNOWN", "FILTER_LZMA1",
    "FILTER_LZMA2", "FILTER_DELTA", "FILTER_X86", "FILTER_IA64", "FILTER_ARM", "FILTER_ARMTHUMB", "FILTER_POWERPC",
    "FILTER_SPARC", "FORMAT_AUTO", "FORMAT_XZ", "FORMAT_ALONE", "FORMAT_RAW", "MF_HC3", "MF_HC4", "MF_BT2", "MF_BT3",
    "MF_BT4", "MODE_FAST", "MODE_NORMAL", "PRESET_DEFAULT", "PRESET_EXTREME", "LZMACompressor", "LZMADecompressor",
    "LZMAFile", "LZMAError", "open", "compress", "decompress", "is_check_supported",
]


class LZMAError(Exception):
    """What is not LZMA, or cannot be done."""


def is_check_supported(check_id, /):
    return check_id in (CHECK_NONE, CHECK_CRC32, CHECK_CRC64, CHECK_SHA256)


def _refuse(format, filters):
    if format == FORMAT_RAW or filters is not None:
        raise NotImplementedError("lzma: FORMAT_RAW and filters= are not implemented in janus-jit yet")


def _asked(function, *args):
    try:
        return function(*args)
    except ValueError as e:
        text = str(e)
    raise LZMAError(text)


class LZMACompressor:
    def __init__(self, format=FORMAT_XZ, check=-1, preset=None, filters=None):
        if preset is not None and filters is not None:
            raise ValueError("Cannot specify both preset and filter chain")
        _refuse(format, filters)
        if format not in (FORMAT_XZ, FORMAT_ALONE):
            raise ValueError(f"Invalid container format: {format}")
        if format != FORMAT_XZ and check not in (-1, CHECK_NONE):
            raise ValueError("Integrity checks are only supported by FORMAT_XZ")
        check = CHECK_CRC64 if check == -1 else check
        preset = PRESET_DEFAULT if preset is None else preset
        self._coder = _asked(_xz.encoder, format == FORMAT_ALONE, check, preset)

    def compress(self, data, /):
        if self._coder is None:
            raise ValueError("Compressor has been flushed")
        return _asked(self._coder.run, data, -1, False)[0]

    def flush(self):
        if self._coder is None:
            raise ValueError("Repeated call to flush()")
        coder, self._coder = self._coder, None
        return _asked(coder.run, b"", -1, True)[0]


class LZMADecompressor:
    def __init__(self, format=FORMAT_AUTO, memlimit=None, filters=None):
        _refuse(format, filters)
        if format not in (FORMAT_AUTO, FORMAT_XZ, FORMAT_ALONE):
            raise ValueError(f"Invalid container format: {format}")
        self._coder = _asked(_xz.decoder, format, -1 if memlimit is None else memlimit)
        self._waiting = b""
        self.eof, self.needs_input, self.unused_data = False, True, b""

    @property
    def check(self):
        raise NotImplementedError("LZMADecompressor.check is not implemented in janus-jit yet")

    def decompress(self, data, max_length=-1):
        if self.eof:
            raise EOFError("Already at end of stream")
        data = self._waiting + bytes(data)
        made, used, self.eof = _asked(self._coder.run, data, max_length, False)
        self._waiting = data[used:]
        if self.eof:
            self.unused_data, self._waiting = self._waiting, b""
        self.needs_input = not self.eof and not self._waiting and (max_length < 0 or len(made) < max_length)
        return made


class LZMAFile(_compression.BaseStream):
    """A file of bytes that is compressed as it is written, or was when it was."""

    def __init__(self, filename=None, mode="r", *, format=None, check=-1, preset=None, filters=None):
        self._fp, self._close_fp, self._reads, self._pos = None, False, mode in ("r", "rb"), 0
        if self._reads:
            if check != -1:
                raise ValueError("Cannot specify an integrity check when opening a file for reading")
            if preset is not None:
                raise ValueError("Cannot specify a preset compression level when opening a file for reading")
        elif mode not in ("w", "wb", "a", "ab", "x", "xb"):
            raise ValueError(f"Invalid mode: {mode!r}")
        if isinstance(filename, (str, bytes, os.PathLike)):
            self._fp, self._close_fp = builtins.open(filename, mode if "b" in mode else mode + "b"), True
        elif hasattr(filename, "read") or hasattr(filename, "write"):
            self._fp = filename
        else:
            raise TypeError("filename must be a str, bytes, file or PathLike object")
        self._open = True
        if self._reads:
            reader = _compression.DecompressReader(
                self._fp, LZMADecompressor, trailing_error=LZMAError, format=FORMAT_AUTO if format is None else format,
                filters=filters,
            )
            self._buffer = io.BufferedReader(reader)
        else:
            self._compressor = LZMACompressor(FORMAT_XZ if format is None else format, check, preset, filters)

    def close(self):
        if not self._open:
            return
        self._open = False
        try:
            if self._reads:
                self._buffer.close()
            else:
                self._fp.write(self._compressor.flush())
        finally:
            if self._close_fp:
                self._fp.close()

    @property
    def closed(self):
        return not self._open

    @property
    def name(self):
        return self._fp.name

    def fileno(self):
        self._check_not_closed()
        return self._fp.fileno()

    def seekable(self):
        return self.readable() and self._buffer.seekable()

    def readable(self):
        self._check_not_closed()
        return self._reads

    def writable(self):
        self._check_not_closed()
        return not self._reads

    def peek(self, size=-1):
        self._check_can_read()
        return self._buffer.peek(size)

    def read(self, size=-1):
        self._check_can_read()
        return self._buffer.read(size)

    def read1(self, size=-1):
        self._check_can_read()
        return self._buffer.read1(io.DEFAULT_BUFFER_SIZE if size < 0 else size)

    def readline(self, size=-1):
        self._check_can_read()
        return self._buffer.readline(size)

    def write(self, data):
        self._check_can_write()
        data = bytes(data)
        self._fp.write(self._compressor.compress(data))
        self._pos += len(data)
        return len(data)

    def seek(self, offset, whence=io.SEEK_SET):
        self._check_can_seek()
        return self._buffer.seek(offset, whence)

    def tell(self):
        self._check_not_closed()
        return self._buffer.tell() if self._reads else self._pos


def open(filename, mode="rb", *, format=None, check=-1, preset=None, filters=None, encoding=None, errors=None,
         newline=None):
    if "t" in mode:
        if "b" in mode:
            raise ValueError(f"Invalid mode: {mode!r}")
    elif (encoding, errors, newline) != (None, None, None):
        name = "encoding" if encoding is not None else "errors" if errors is not None else "newline"
        raise ValueError(f"Argument '{name}' not supported in binary mode")
    made = LZMAFile(filename, mode.replace("t", ""), format=format, check=check, preset=preset, filters=filters)
    return io.TextIOWrapper(made, encoding or "utf-8", errors, newline) if "t" in mode else made


def compress(data, format=FORMAT_XZ, check=-1, preset=None, filters=None):
    coder = LZMACompressor(format, check, preset, filters)
    return coder.compress(data) + coder.flush()


def decompress(data, format=FORMAT_AUTO, memlimit=None, filters=None):
    parts = []
    while True:
        coder = LZMADecompressor(format, memlimit, filters)
        try:
            parts.append(coder.decompress(data))
        except LZMAError:
            if parts:
                break  # What follows a stream may be anything.
            raise
        if not coder.eof:
            raise LZMAError("Compressed data ended before the end-of-stream marker was reached")
        data = coder.unused_data
        if not data:
            break
    return b"".join(parts)

"""Sound in WAVE files, as samples that are not compressed."""

import builtins
import struct
import sys
from chunk import Chunk
from collections import namedtuple

__all__ = ["open", "Error", "Wave_read", "Wave_write"]

WAVE_FORMAT_PCM = 0x0001

_wave_params = namedtuple("_wave_params", "nchannels sampwidth framerate nframes comptype compname")


class Error(Exception):
    pass


def _swapped(data, width):
    """The samples with their bytes in this machine's order, or back in the file's, which is little-endian."""
    return data if sys.byteorder == "little" or width == 1 else _byteswap(data, width)


def _byteswap(data, width):
    """The samples with their bytes the other way round."""
    out = bytearray(len(data))
    for at in range(width):
        out[at::width] = data[width - 1 - at::width]
    return bytes(out)


class _Wave:
    """What both have: a file that may be theirs, `with`, a format without compression, and no marks."""

    _file = _opened = None

    def __init__(self, f):
        if isinstance(f, str):
            f = self._opened = builtins.open(f, self._mode)
        try:
            self.initfp(f)
        except BaseException:
            self._release()
            raise

    def _release(self):
        file, self._opened = self._opened, None
        if file is not None:
            file.close()

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.close()

    def __del__(self):
        self.close()

    def getcomptype(self):
        return self._comptype

    def getcompname(self):
        return self._compname

    def getmarkers(self):
        return None

    def getmark(self, id):
        raise Error("no marks")


class Wave_read(_Wave):
    _mode = "rb"

    def initfp(self, file):
        self._soundpos = 0
        self._data_seek_needed = True
        fmt = self._data_chunk = None
        self._file = riff = Chunk(file, bigendian=0)
        if riff.getname() != b"RIFF":
            raise Error("file does not start with RIFF id")
        if riff.read(4) != b"WAVE":
            raise Error("not a WAVE file")
        while True:
            try:
                chunk = Chunk(riff, bigendian=0)
            except EOFError:
                break
            name = chunk.getname()
            if name == b"fmt ":
                self._read_fmt_chunk(chunk)
                fmt = chunk
            elif name == b"data":
                if fmt is None:
                    raise Error("data chunk before fmt chunk")
                self._data_chunk = chunk
                self._nframes = chunk.chunksize // self._framesize
                self._data_seek_needed = False
                break
            chunk.skip()
        if fmt is None or self._data_chunk is None:
            raise Error("fmt chunk and/or data chunk missing")

    def _read_fmt_chunk(self, chunk):
        try:
            kind, self._nchannels, self._framerate, _, _ = struct.unpack("<HHLLH", chunk.read(14))
        except struct.error:
            raise EOFError from None
        if kind != WAVE_FORMAT_PCM:
            raise Error(f"unknown format: {kind!r}")
        try:
            bits, = struct.unpack("<H", chunk.read(2))
        except struct.error:
            raise EOFError from None
        self._sampwidth = (bits + 7) // 8
        if not self._sampwidth:
            raise Error("bad sample width")
        if not self._nchannels:
            raise Error("bad # of channels")
        self._framesize = self._nchannels * self._sampwidth
        self._comptype, self._compname = "NONE", "not compressed"

    def getfp(self):
        return self._file

    def rewind(self):
        self._data_seek_needed = True
        self._soundpos = 0

    def close(self):
        self._file = None
        self._release()

    def tell(self):
        return self._soundpos

    def getnchannels(self):
        return self._nchannels

    def getnframes(self):
        return self._nframes

    def getsampwidth(self):
        return self._sampwidth

    def getframerate(self):
        return self._framerate

    def getparams(self):
        return _wave_params(self.getnchannels(), self.getsampwidth(), self.getframerate(), self.getnframes(),
                            self.getcomptype(), self.getcompname())

    def setpos(self, pos):
        if pos < 0 or pos > self._nframes:
            raise Error("position not in range")
        self._soundpos = pos
        self._data_seek_needed = True

    def readframes(self, nframes):
        if self._data_seek_needed:
            self._data_chunk.seek(0, 0)
            if position := self._soundpos * self._framesize:
                self._data_chunk.seek(position, 0)
            self._data_seek_needed = False
        if nframes == 0:
            return b""
        data = _swapped(self._data_chunk.read(nframes * self._framesize), self._sampwidth)
        self._soundpos += len(data) // self._framesize
        return data


class Wave_write(_Wave):
    _mode = "wb"

    def initfp(self, file):
        self._file = file
        self._nchannels = self._sampwidth = self._framerate = self._nframes = 0
        self._nframeswritten = self._datawritten = self._datalength = 0
        self._headerwritten = False
        self._form_length_pos = self._data_length_pos = None

    def _before_data(self):
        if self._datawritten:
            raise Error("cannot change parameters after starting to write")

    def setnchannels(self, nchannels):
        self._before_data()
        if nchannels < 1:
            raise Error("bad # of channels")
        self._nchannels = nchannels

    def getnchannels(self):
        if not self._nchannels:
            raise Error("number of channels not set")
        return self._nchannels

    def setsampwidth(self, sampwidth):
        self._before_data()
        if sampwidth < 1 or sampwidth > 4:
            raise Error("bad sample width")
        self._sampwidth = sampwidth

    def getsampwidth(self):
        if not self._sampwidth:
            raise Error("sample width not set")
        return self._sampwidth

    def setframerate(self, framerate):
        self._before_data()
        if framerate <= 0:
            raise Error("bad frame rate")
        self._framerate = int(round(framerate))

    def getframerate(self):
        if not self._framerate:
            raise Error("frame rate not set")
        return self._framerate

    def setnframes(self, nframes):
        self._before_data()
        self._nframes = nframes

    def getnframes(self):
        return self._nframeswritten

    def setcomptype(self, comptype, compname):
        self._before_data()
        if comptype not in ("NONE",):
            raise Error("unsupported compression type")
        self._comptype, self._compname = comptype, compname

    def setparams(self, params):
        nchannels, sampwidth, framerate, nframes, comptype, compname = params
        self._before_data()
        self.setnchannels(nchannels)
        self.setsampwidth(sampwidth)
        self.setframerate(framerate)
        self.setnframes(nframes)
        self.setcomptype(comptype, compname)

    def getparams(self):
        if not self._nchannels or not self._sampwidth or not self._framerate:
            raise Error("not all parameters set")
        return _wave_params(self._nchannels, self._sampwidth, self._framerate, self._nframes, self._comptype,
                            self._compname)

    def setmark(self, id, pos, name):
        raise Error("setmark() not supported")

    def tell(self):
        return self._nframeswritten

    def writeframesraw(self, data):
        if not isinstance(data, (bytes, bytearray)):
            data = memoryview(data).cast("B")
        self._ensure_header_written(len(data))
        nframes = len(data) // (self._sampwidth * self._nchannels)
        self._file.write(_swapped(data, self._sampwidth))
        self._datawritten += len(data)
        self._nframeswritten += nframes

    def writeframes(self, data):
        self.writeframesraw(data)
        if self._datalength != self._datawritten:
            self._patchheader()

    def close(self):
        try:
            if self._file:
                self._ensure_header_written(0)
                if self._datalength != self._datawritten:
                    self._patchheader()
                self._file.flush()
        finally:
            self._file = None
            self._release()

    def _ensure_header_written(self, datasize):
        if self._headerwritten:
            return
        if not self._nchannels:
            raise Error("# channels not specified")
        if not self._sampwidth:
            raise Error("sample width not specified")
        if not self._framerate:
            raise Error("sampling rate not specified")
        self._write_header(datasize)

    def _write_header(self, initlength):
        frame = self._nchannels * self._sampwidth
        self._file.write(b"RIFF")
        if not self._nframes:
            self._nframes = initlength // frame
        self._datalength = self._nframes * frame
        # The lengths are put right at the end, if the file can be gone back in.
        try:
            self._form_length_pos = self._file.tell()
        except (AttributeError, OSError):
            self._form_length_pos = None
        self._file.write(struct.pack("<L4s4sLHHLLHH4s", 36 + self._datalength, b"WAVE", b"fmt ", 16, WAVE_FORMAT_PCM,
                                     self._nchannels, self._framerate, frame * self._framerate, frame,
                                     self._sampwidth * 8, b"data"))
        if self._form_length_pos is not None:
            self._data_length_pos = self._file.tell()
        self._file.write(struct.pack("<L", self._datalength))
        self._headerwritten = True

    def _patchheader(self):
        if self._datawritten == self._datalength:
            return
        end = self._file.tell()
        self._file.seek(self._form_length_pos, 0)
        self._file.write(struct.pack("<L", 36 + self._datawritten))
        self._file.seek(self._data_length_pos, 0)
        self._file.write(struct.pack("<L", self._datawritten))
        self._file.seek(end, 0)
        self._datalength = self._datawritten


def open(f, mode=None):
    if mode is None:
        mode = getattr(f, "mode", "rb")
    if mode in ("r", "rb"):
        return Wave_read(f)
    if mode in ("w", "wb"):
        return Wave_write(f)
    raise Error("mode must be 'r', 'rb', 'w', or 'wb'")

"""Streams over objects in Python: buffers over raw streams, and text over any stream of bytes.

What `open` makes is native; these are for raw streams of a script's own (sockets), and for encodings whose lines do not
end where their bytes say so.
"""

import _io
import codecs
import io
import operator

_SIZE = 8192


def _length(n, most, method):
    """How many bytes a method of a raw stream says that it has moved."""
    try:
        n = operator.index(n)
    except TypeError as e:
        raise OSError(f"raw {method}() failed") from e
    if not 0 <= n <= most:
        raise OSError(f"raw {method}() returned invalid length {n} (should have been between 0 and {most})")
    return n


class _Buffered(_io._BufferedIOBase):
    def __init__(self, raw, buffer_size=_SIZE):
        if buffer_size <= 0:
            raise ValueError("invalid buffer size")
        self.raw = raw
        self._size = buffer_size

    def _usable(self, what="I/O operation on closed file."):
        if self.raw is None:
            raise ValueError("raw stream has been detached")
        if self.closed:
            raise ValueError(what)

    @property
    def closed(self):
        return self.raw.closed

    @property
    def name(self):
        return self.raw.name

    @property
    def mode(self):
        return self.raw.mode

    def fileno(self):
        return self.raw.fileno()

    def isatty(self):
        return self.raw.isatty()

    def readable(self):
        return self.raw.readable()

    def writable(self):
        return self.raw.writable()

    def seekable(self):
        return self.raw.seekable()

    def flush(self):
        self._usable()
        self.raw.flush()

    def close(self):
        if self.raw is None or self.closed:
            return
        try:
            self.flush()
        finally:
            self.raw.close()

    def detach(self):
        self.flush()
        raw, self.raw = self.raw, None
        return raw

    def __enter__(self):
        self._usable()
        return self

    def __exit__(self, *exc):
        self.close()

    def __repr__(self):
        name = getattr(self.raw, "name", None)
        shown = f"_io.{type(self).__name__}"
        return f"<{shown}>" if name is None else f"<{shown} name={name!r}>"


class _Reading(_Buffered):
    def __init__(self, raw, buffer_size=_SIZE):
        if not raw.readable():
            raise OSError("File or stream is not readable.")
        super().__init__(raw, buffer_size)
        self._ahead = b""

    def _more(self, size):
        """Bytes from the raw stream: none at its end, None where there are none yet."""
        readinto = getattr(self.raw, "readinto", None)
        if readinto is None:
            return self.raw.read(size)
        room = bytearray(size)
        n = readinto(room)
        return None if n is None else bytes(room[:_length(n, size, "readinto")])

    def writable(self):
        return False

    def read(self, size=-1):
        self._usable("read of closed file")
        if size is None:
            size = -1
        if size < -1:
            raise ValueError("read length must be non-negative or -1")
        parts, have = [self._ahead], len(self._ahead)
        if size < 0:
            self._ahead = b""
            readall = getattr(self.raw, "readall", None)
            more = readall() if readall else self._more(_SIZE)
            while more:
                parts.append(more)
                more = b"" if readall else self._more(_SIZE)
            return None if more is None and not have and len(parts) == 1 else b"".join(parts)
        more = b""
        while have < size:
            more = self._more(max(self._size, size - have))
            if not more:
                break
            parts.append(more)
            have += len(more)
        data = b"".join(parts)
        self._ahead = data[size:]
        return None if more is None and not data else data[:size]

    def read1(self, size=-1):
        self._usable()
        if size is None or size < 0:
            size = self._size
        if size and not self._ahead:
            self._ahead = self._more(self._size) or b""
        data, self._ahead = self._ahead[:size], self._ahead[size:]
        return data

    def peek(self, size=0):
        self._usable()
        if not self._ahead:
            self._ahead = self._more(self._size) or b""
        return self._ahead

    def _into(self, room, data):
        view = memoryview(room).cast("B")
        view[: len(data)] = data
        return len(data)

    def readinto(self, room):
        data = self.read(memoryview(room).nbytes)
        return None if data is None else self._into(room, data)

    def readinto1(self, room):
        return self._into(room, self.read1(memoryview(room).nbytes))

    def readline(self, size=-1):
        self._usable()
        limit = -1 if size is None else size
        parts, have = [], 0
        while limit < 0 or have < limit:
            if not self._ahead:
                self._ahead = self._more(self._size) or b""
                if not self._ahead:
                    break
            end = self._ahead.find(b"\n") + 1
            stop = end or len(self._ahead)
            if limit >= 0:
                stop = min(stop, limit - have)
            parts.append(self._ahead[:stop])
            self._ahead = self._ahead[stop:]
            have += stop
            if parts[-1].endswith(b"\n"):
                break
        return b"".join(parts)

    def __iter__(self):
        self._usable()
        return self

    def tell(self):
        self._usable()
        return self.raw.tell() - len(self._ahead)

    def seek(self, target, whence=0):
        self._usable()
        if whence == 1:
            target -= len(self._ahead)
        self._ahead = b""
        return self.raw.seek(target, whence)

    def truncate(self, pos=None):
        self._usable()
        return self.raw.truncate(self.tell() if pos is None else pos)


class _Writing(_Buffered):
    def __init__(self, raw, buffer_size=_SIZE):
        if not raw.writable():
            raise OSError("File or stream is not writable.")
        super().__init__(raw, buffer_size)
        self._waiting = bytearray()

    def readable(self):
        return False

    def write(self, data):
        if isinstance(data, str):
            raise TypeError("a bytes-like object is required, not 'str'")
        self._usable("write to closed file")
        data = bytes(data)
        self._waiting += data
        if len(self._waiting) > self._size:
            self._emptied()
        return len(data)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def _emptied(self):
        while self._waiting:
            n = self.raw.write(bytes(self._waiting))
            if n is None:
                raise BlockingIOError(11, "write could not complete without blocking", 0)
            del self._waiting[:_length(n, len(self._waiting), "write")]

    def flush(self):
        self._usable()
        self._emptied()
        self.raw.flush()

    def tell(self):
        self._usable()
        return self.raw.tell() + len(self._waiting)

    def seek(self, target, whence=0):
        self.flush()
        return self.raw.seek(target, whence)

    def truncate(self, pos=None):
        self.flush()
        return self.raw.truncate(self.raw.tell() if pos is None else pos)


class _Random(_Reading, _Writing):
    """One position for what is read and what is written."""

    def __init__(self, raw, buffer_size=_SIZE):
        if not raw.seekable():
            raise _io.UnsupportedOperation("File or stream is not seekable.")
        _Writing.__init__(self, raw, buffer_size)
        self._ahead = b""

    readable, writable = _Buffered.readable, _Buffered.writable

    def _more(self, size):
        self._emptied()
        return _Reading._more(self, size)

    def write(self, data):
        if self._ahead:
            self.raw.seek(-len(self._ahead), 1)
            self._ahead = b""
        return _Writing.write(self, data)

    def tell(self):
        self._usable()
        return self.raw.tell() - len(self._ahead) + len(self._waiting)

    def seek(self, target, whence=0):
        self._emptied()
        return _Reading.seek(self, target, whence)

    def truncate(self, pos=None):
        self._emptied()
        return _Reading.truncate(self, pos)


class BufferedRWPair(_io._BufferedIOBase):
    """A reader and a writer of two raw streams."""

    def __init__(self, reader, writer, buffer_size=_SIZE):
        self.reader, self.writer = _Reading(reader, buffer_size), _Writing(writer, buffer_size)
        for name in ("read", "read1", "peek", "readinto", "readinto1", "readline", "readlines"):
            setattr(self, name, getattr(self.reader, name))
        for name in ("write", "writelines", "flush"):
            setattr(self, name, getattr(self.writer, name))

    def __iter__(self):
        return iter(self.reader)

    def __next__(self):
        return next(self.reader)

    def readable(self):
        return self.reader.readable()

    def writable(self):
        return self.writer.writable()

    def seekable(self):
        return False

    def close(self):
        try:
            self.writer.close()
        finally:
            self.reader.close()

    def isatty(self):
        return self.reader.isatty() or self.writer.isatty()

    @property
    def closed(self):
        return self.writer.closed


class IncrementalNewlineDecoder(codecs.IncrementalDecoder):
    """A decoder whose line ends become `\\n`, and which tells which ones it met."""

    def __init__(self, decoder, translate, errors="strict"):
        super().__init__(errors)
        self.translate, self.decoder = translate, decoder
        self._seen, self._waits = 0, False

    def decode(self, input, final=False):
        text = input if self.decoder is None else self.decoder.decode(input, final=final)
        if self._waits and (text or final):
            text, self._waits = "\r" + text, False
        # What follows may belong to it.
        if text.endswith("\r") and not final:
            text, self._waits = text[:-1], True
        pairs = text.count("\r\n")
        self._seen |= (text.count("\r") > pairs) | (text.count("\n") > pairs) << 1 | (pairs > 0) << 2
        return text.replace("\r\n", "\n").replace("\r", "\n") if self.translate else text

    def getstate(self):
        data, flag = (b"", 0) if self.decoder is None else self.decoder.getstate()
        return data, flag << 1 | self._waits

    def setstate(self, state):
        data, flag = state
        self._waits = bool(flag & 1)
        if self.decoder is not None:
            self.decoder.setstate((data, flag >> 1))

    def reset(self):
        self._seen, self._waits = 0, False
        if self.decoder is not None:
            self.decoder.reset()

    @property
    def newlines(self):
        return (None, "\r", "\n", ("\r", "\n"), "\r\n", ("\r", "\r\n"), ("\n", "\r\n"), ("\r", "\n", "\r\n"))[self._seen]


class _Text(_io._TextIOBase):
    def __init__(self, buffer, encoding=None, errors=None, newline=None, line_buffering=False, write_through=False):
        if newline not in (None, "", "\n", "\r", "\r\n"):
            raise ValueError(f"illegal newline value: {newline!r}")
        encoding = "utf-8" if encoding is None or encoding == "locale" else encoding
        info = codecs.lookup(encoding)
        if not info._is_text_encoding:
            raise LookupError(f"'{encoding}' is not a text encoding; use codecs.open() to handle arbitrary codecs")
        self.buffer, self.encoding = buffer, encoding
        self.errors = "strict" if errors is None else errors
        self.line_buffering, self.write_through = line_buffering, write_through
        self._newline = newline
        self._encoder = info.incrementalencoder(self.errors)
        decoder = info.incrementaldecoder(self.errors)
        self._decoder = decoder if newline not in (None, "") else IncrementalNewlineDecoder(decoder, newline is None)
        self._ahead, self._ended = "", False
        if self.buffer.writable() and self.seekable() and (self.buffer.tell() or self._appends()):
            # The mark of the byte order stands at the beginning only.
            self._encoder.setstate(0)

    def _appends(self):
        """Whether there is something before what is written at the end."""
        return "a" in str(getattr(self.buffer, "mode", "")) and self.buffer.seek(0, 2) > 0

    def _usable(self):
        if self.buffer is None:
            raise ValueError("underlying buffer has been detached")
        if self.closed:
            raise ValueError("I/O operation on closed file.")

    @property
    def closed(self):
        return self.buffer.closed

    @property
    def name(self):
        return self.buffer.name

    @property
    def newlines(self):
        return getattr(self._decoder, "newlines", None)

    def fileno(self):
        return self.buffer.fileno()

    def isatty(self):
        return self.buffer.isatty()

    def readable(self):
        return self.buffer.readable()

    def writable(self):
        return self.buffer.writable()

    def seekable(self):
        return self.buffer.seekable()

    def _more(self):
        """Decodes some more bytes; whether there were any."""
        if self._ended:
            return False
        read = getattr(self.buffer, "read1", self.buffer.read)
        data = read(_SIZE)
        self._ended = not data
        self._ahead += self._decoder.decode(data or b"", self._ended)
        return not self._ended

    def _for_reading(self):
        self._usable()
        if not self.readable():
            raise _io.UnsupportedOperation("not readable")
        self._ended = False

    def read(self, size=-1):
        self._for_reading()
        if size is None or size < 0:
            text = self._ahead + self._decoder.decode(self.buffer.read() or b"", True)
            self._decoder.reset()
            self._ahead = ""
            return text
        while len(self._ahead) < size and self._more():
            pass
        text, self._ahead = self._ahead[:size], self._ahead[size:]
        return text

    def _line_end(self, start):
        if self._newline in (None, "\n"):
            return self._ahead.find("\n", start) + 1
        if self._newline:
            at = self._ahead.find(self._newline, max(0, start - 1))
            return at + len(self._newline) if at >= 0 else 0
        for at in range(start, len(self._ahead)):
            if self._ahead[at] == "\n":
                return at + 1
            if self._ahead[at] == "\r":
                return at + 2 if self._ahead.startswith("\n", at + 1) else at + 1
        return 0

    def readline(self, size=-1):
        self._for_reading()
        start = 0
        while True:
            end = self._line_end(start)
            if end or (size is not None and 0 <= size <= len(self._ahead)):
                break
            start = len(self._ahead)
            if not self._more():
                end = len(self._ahead)
                break
        if size is not None and size >= 0:
            end = min(end or size, size)
        line, self._ahead = self._ahead[:end], self._ahead[end:]
        return line

    def __iter__(self):
        self._usable()
        return self

    def write(self, text):
        self._usable()
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if not self.writable():
            raise _io.UnsupportedOperation("not writable")
        ends = "\n" in text
        if self._newline in ("\r", "\r\n"):
            data = self._encoder.encode(text.replace("\n", self._newline))
        else:
            data = self._encoder.encode(text)
        self.buffer.write(data)
        if self.line_buffering and (ends or "\r" in text):
            self.flush()
        return len(text)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def flush(self):
        self._usable()
        self.buffer.flush()

    def close(self):
        if self.buffer is None or self.closed:
            return
        try:
            self.flush()
        finally:
            self.buffer.close()

    def detach(self):
        self.flush()
        buffer, self.buffer = self.buffer, None
        return buffer

    def seek(self, cookie, whence=0):
        self._usable()
        if whence == 1 and cookie == 0:
            return self.tell()
        if whence == 2 and cookie == 0:
            self.flush()
            self._ahead = ""
            self._decoder.reset()
            return self.buffer.seek(0, 2)
        if whence != 0 or cookie != 0:
            raise NotImplementedError("a text stream over an object in Python can only seek to its ends in janus-jit yet")
        self.flush()
        self._ahead = ""
        self._decoder.reset()
        self._encoder.reset()
        return self.buffer.seek(0)

    def tell(self):
        self._usable()
        if self._ahead:
            raise NotImplementedError("tell() amid a text stream over an object in Python is not implemented in janus-jit yet")
        self.flush()
        return self.buffer.tell()

    def truncate(self, pos=None):
        self.flush()
        return self.buffer.truncate(pos)

    def reconfigure(self, *, encoding=None, errors=None, newline=None, line_buffering=None, write_through=None):
        if encoding is not None or errors is not None or newline is not None:
            raise NotImplementedError("reconfigure(encoding=, errors=, newline=) of a text stream over an object in Python is not implemented in janus-jit yet")
        self.flush()
        self.line_buffering = self.line_buffering if line_buffering is None else line_buffering
        self.write_through = self.write_through if write_through is None else write_through

    def __enter__(self):
        self._usable()
        return self

    def __exit__(self, *exc):
        self.close()

    def __repr__(self):
        name = getattr(self.buffer, "name", None)
        shown = "" if name is None else f" name={name!r}"
        return f"<_io.TextIOWrapper{shown} encoding={self.encoding!r}>"


io.BufferedIOBase.register(_Buffered)
io.BufferedIOBase.register(BufferedRWPair)
io.TextIOBase.register(_Text)


class _Either(type):
    """Of a class that counts native streams of its kind as its own."""

    def __instancecheck__(cls, obj):
        return type.__instancecheck__(cls, obj) or cls is cls._public and isinstance(obj, cls._native)

    def __subclasscheck__(cls, other):
        return type.__subclasscheck__(cls, other) or cls is cls._public and issubclass(other, cls._native)


def _public(name, implementation, native):
    namespace = {"__module__": "_io", "__doc__": implementation.__doc__, "_native": native}
    made = _Either(name, (implementation,), namespace)
    made._public = made
    return made


BufferedReader = _public("BufferedReader", _Reading, _io.BufferedReader)
BufferedWriter = _public("BufferedWriter", _Writing, _io.BufferedWriter)
BufferedRandom = _public("BufferedRandom", _Random, _io.BufferedRandom)


class TextIOWrapper(_Text, metaclass=_Either):
    """Text over a stream of bytes."""

    __module__ = "_io"
    _native = _io.TextIOWrapper

    def __new__(cls, buffer=None, encoding=None, *args, **kwargs):
        # What a class that derives from it is given goes to that one's `__init__`.
        if cls is TextIOWrapper and type(buffer) in _NATIVE and is_simple(encoding):
            return _io.TextIOWrapper(buffer, encoding, *args, **kwargs)
        return super().__new__(cls)


TextIOWrapper._public = TextIOWrapper
_NATIVE = (_io.BytesIO, _io.BufferedReader, _io.BufferedWriter, _io.BufferedRandom)
_SIMPLE = ("utf8", "ascii", "usascii", "latin1", "iso88591", "l1", "locale")


def is_simple(encoding):
    """Whether native text streams know where lines and characters of an encoding end."""
    return encoding is None or "".join(c for c in encoding.lower() if c.isalnum()) in _SIMPLE

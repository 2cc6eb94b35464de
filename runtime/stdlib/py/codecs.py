"""Encodings."""

BOM_UTF8 = b"\xef\xbb\xbf"
BOM_UTF16_LE = BOM_LE = BOM_UTF16 = BOM = BOM32_LE = b"\xff\xfe"
BOM_UTF16_BE = BOM_BE = BOM32_BE = b"\xfe\xff"
BOM_UTF32_LE = BOM_UTF32 = BOM64_LE = b"\xff\xfe\0\0"
BOM_UTF32_BE = BOM64_BE = b"\0\0\xfe\xff"


class CodecInfo:
    def __init__(self, name):
        self.name = name

    def encode(self, text, errors="strict"):
        return text.encode(self.name, errors), len(text)

    def decode(self, data, errors="strict"):
        return bytes(data).decode(self.name, errors), len(data)


_NAMES = {"utf8": "utf-8", "utf_8": "utf-8", "u8": "utf-8", "latin1": "iso8859-1", "latin-1": "iso8859-1",
          "iso-8859-1": "iso8859-1", "us-ascii": "ascii"}


_searches = []


def register(search_function, /):
    """Adds a function that is asked for encodings that are not built in."""
    if not callable(search_function):
        raise TypeError("argument must be callable")
    _searches.append(search_function)


def unregister(search_function, /):
    if search_function in _searches:
        _searches.remove(search_function)


def lookup(encoding):
    name = encoding.lower()
    name = _NAMES.get(name, name)
    try:
        "".encode(name)
    except LookupError:
        if name != "iso8859-1":
            for search in _searches:
                found = search(name.replace(" ", "_"))
                if found is not None:
                    return found
            raise
    return CodecInfo(name)


def encode(obj, encoding="utf-8", errors="strict"):
    return obj.encode(encoding, errors)


def decode(obj, encoding="utf-8", errors="strict"):
    return bytes(obj).decode(encoding, errors)


def open(filename, mode="r", encoding=None, errors="strict", buffering=-1):
    import builtins
    return builtins.open(filename, mode, encoding=encoding, errors=errors if encoding else None)


def getreader(encoding):
    import io
    return lambda stream, errors="strict": io.TextIOWrapper(stream, encoding, errors)


class StreamWriter:
    """Encodes what is written to a stream of bytes; its encoding is its class's."""

    _encoding = "utf-8"

    def __init__(self, stream, errors="strict"):
        self.stream, self.errors = stream, errors

    def write(self, object):
        self.stream.write(object.encode(self._encoding, self.errors))

    def writelines(self, list):
        self.write("".join(list))

    def reset(self):
        pass

    def __getattr__(self, name):
        return getattr(self.stream, name)

    def __enter__(self):
        return self

    def __exit__(self, type, value, tb):
        self.stream.close()


def getwriter(encoding):
    return type("StreamWriter", (StreamWriter,), {"_encoding": lookup(encoding).name})


class StreamReaderWriter:
    """A reader and a writer of one stream of bytes."""

    def __init__(self, stream, Reader, Writer, errors="strict"):
        self.stream, self.errors = stream, errors
        self.reader, self.writer = Reader(stream, errors), Writer(stream, errors)

    def read(self, size=-1):
        return self.reader.read(size)

    def readline(self, size=-1):
        return self.reader.readline(size)

    def __iter__(self):
        return iter(self.reader)

    def write(self, data):
        return self.writer.write(data)

    def writelines(self, list):
        return self.writer.writelines(list)

    def __getattr__(self, name):
        return getattr(self.stream, name)

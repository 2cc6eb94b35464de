"""Encodings of more than one byte a character: what the modules of `encodings` build on."""

import codecs
from _east_asian import decode as _decode, encode as _encode

# The name in the Encoding Standard for each of Python's names.
_LABELS = {
    "shift_jis": "shift_jis", "cp932": "shift_jis", "euc_jp": "euc-jp", "iso2022_jp": "iso-2022-jp", "euc_kr": "euc-kr",
    "cp949": "euc-kr", "gb2312": "gbk", "gbk": "gbk", "gb18030": "gb18030", "big5": "big5", "cp950": "big5",
    "big5hkscs": "big5",
}


class MultibyteCodec:
    def __init__(self, name):
        self._name, self._label = name, _LABELS[name]

    def encode(self, input, errors="strict"):
        return self._encoded(input, errors or "strict"), len(input)

    def decode(self, input, errors="strict"):
        data = bytes(input)
        text, used = self._decoded(data, errors or "strict", True)
        return text, used

    def _encoded(self, text, errors):
        parts, at = [], 0
        while True:
            data, count = _encode(self._label, text[at:])
            parts.append(data)
            at += count
            if at >= len(text):
                return b"".join(parts)
            error = UnicodeEncodeError(self._name, text, at, at + 1, "illegal multibyte sequence")
            instead, at = codecs.lookup_error(errors)(error)
            if isinstance(instead, str):
                instead = self._encoded(instead, "strict")
            parts.append(instead)

    def _decoded(self, data, errors, final):
        parts, at = [], 0
        while True:
            text, used, bad = _decode(self._label, data[at:])
            parts.append(text)
            at += used
            if bad == 0:
                return "".join(parts), at
            if bad < 0:
                if not final:
                    return "".join(parts), at
                bad, why = len(data) - at, "incomplete multibyte sequence"
            else:
                why = "illegal multibyte sequence"
            instead, at = codecs.lookup_error(errors)(UnicodeDecodeError(self._name, data, at, at + bad, why))
            parts.append(instead)


def getcodec(name):
    if name not in _LABELS:
        raise LookupError("no such codec is supported.")
    return MultibyteCodec(name)


class MultibyteIncrementalEncoder:
    def __init__(self, errors="strict"):
        self.errors = errors

    def encode(self, input, final=False):
        return self.codec.encode(input, self.errors)[0]

    def reset(self):
        pass

    def getstate(self):
        return 0

    def setstate(self, state):
        pass


class MultibyteIncrementalDecoder:
    def __init__(self, errors="strict"):
        self.errors, self._rest = errors, b""

    def decode(self, input, final=False):
        data = self._rest + bytes(input)
        if self.codec._label == "iso-2022-jp" and not final:
            # What a byte means depends on all that came before.
            self._rest = data
            return ""
        text, used = self.codec._decoded(data, self.errors, final)
        self._rest = data[used:]
        return text

    def reset(self):
        self._rest = b""

    def getstate(self):
        return self._rest, 0

    def setstate(self, state):
        self._rest = state[0]


class MultibyteStreamReader:
    def __init__(self, stream, errors="strict"):
        codecs.StreamReader.__init__(self, stream, errors)

    def decode(self, input, errors="strict"):
        return self.codec._decoded(bytes(input), errors, False)


class MultibyteStreamWriter:
    def __init__(self, stream, errors="strict"):
        codecs.StreamWriter.__init__(self, stream, errors)

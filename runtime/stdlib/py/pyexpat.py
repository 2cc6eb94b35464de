"""An XML 1.0 parser with the interface of expat's: it takes text as it comes and calls handlers.

It does not validate, and external entities are left to `ExternalEntityRefHandler`. What is not complete stays in the
buffer until more comes.
"""

import operator
import re
import sys
import types

EXPAT_VERSION = "expat_2.5.0"
version_info = (2, 5, 0)
native_encoding = "UTF-8"
features = [("sizeof(XML_Char)", 1), ("sizeof(XML_LChar)", 1), ("XML_DTD", 0), ("XML_CONTEXT_BYTES", 1024), ("XML_NS", 0),
            ("XML_BLAP_MAX_AMP", 100), ("XML_BLAP_ACT_THRES", 8388608)]
XML_PARAM_ENTITY_PARSING_NEVER, XML_PARAM_ENTITY_PARSING_UNLESS_STANDALONE, XML_PARAM_ENTITY_PARSING_ALWAYS = range(3)

# Number, name, text.
_ERRORS = [
    (1, "NO_MEMORY", "out of memory"), (2, "SYNTAX", "syntax error"), (3, "NO_ELEMENTS", "no element found"),
    (4, "INVALID_TOKEN", "not well-formed (invalid token)"), (5, "UNCLOSED_TOKEN", "unclosed token"),
    (6, "PARTIAL_CHAR", "partial character"), (7, "TAG_MISMATCH", "mismatched tag"),
    (8, "DUPLICATE_ATTRIBUTE", "duplicate attribute"), (9, "JUNK_AFTER_DOC_ELEMENT", "junk after document element"),
    (10, "PARAM_ENTITY_REF", "illegal parameter entity reference"), (11, "UNDEFINED_ENTITY", "undefined entity"),
    (12, "RECURSIVE_ENTITY_REF", "recursive entity reference"), (13, "ASYNC_ENTITY", "asynchronous entity"),
    (14, "BAD_CHAR_REF", "reference to invalid character number"),
    (15, "BINARY_ENTITY_REF", "reference to binary entity"),
    (16, "ATTRIBUTE_EXTERNAL_ENTITY_REF", "reference to external entity in attribute"),
    (17, "MISPLACED_XML_PI", "XML or text declaration not at start of entity"),
    (18, "UNKNOWN_ENCODING", "unknown encoding"),
    (19, "INCORRECT_ENCODING", "encoding specified in XML declaration is incorrect"),
    (20, "UNCLOSED_CDATA_SECTION", "unclosed CDATA section"),
    (21, "EXTERNAL_ENTITY_HANDLING", "error in processing external entity reference"),
    (22, "NOT_STANDALONE", "document is not standalone"),
    (23, "UNEXPECTED_STATE", "unexpected parser state - please send a bug report"),
    (24, "ENTITY_DECLARED_IN_PE", "entity declared in parameter entity"),
    (25, "FEATURE_REQUIRES_XML_DTD", "requested feature requires XML_DTD support in Expat"),
    (26, "CANT_CHANGE_FEATURE_ONCE_PARSING", "cannot change setting once parsing has begun"),
    (27, "UNBOUND_PREFIX", "unbound prefix"), (28, "UNDECLARING_PREFIX", "must not undeclare prefix"),
    (29, "INCOMPLETE_PE", "incomplete markup in parameter entity"),
    (30, "XML_DECL", "XML declaration not well-formed"), (31, "TEXT_DECL", "text declaration not well-formed"),
    (32, "PUBLICID", "illegal character(s) in public id"), (33, "SUSPENDED", "parser suspended"),
    (34, "NOT_SUSPENDED", "parser not suspended"), (35, "ABORTED", "parsing aborted"),
    (36, "FINISHED", "parsing finished"), (37, "SUSPEND_PE", "cannot suspend in external parameter entity"),
    (38, "RESERVED_PREFIX_XML",
     "reserved prefix (xml) must not be undeclared or bound to another namespace name"),
    (39, "RESERVED_PREFIX_XMLNS", "reserved prefix (xmlns) must not be declared or undeclared"),
    (40, "RESERVED_NAMESPACE_URI", "prefix must not be bound to one of the reserved namespace names"),
    (41, "INVALID_ARGUMENT", "invalid argument"),
    (42, "NO_BUFFER", "a successful prior call to function XML_GetBuffer is required"),
    (43, "AMPLIFICATION_LIMIT_BREACH", "limit on input amplification factor (from DTD and entities) breached"),
]
_TEXTS = {number: text for number, _, text in _ERRORS}
_NUMBERS = {name: number for number, name, _ in _ERRORS}

errors = types.ModuleType("pyexpat.errors", "Constants used to describe error conditions.")
for _number, _name, _text in _ERRORS:
    setattr(errors, "XML_ERROR_" + _name, _text)
errors.codes = {text: number for number, _, text in _ERRORS}
errors.messages = dict(_TEXTS)
model = types.ModuleType("pyexpat.model", "Constants used to interpret content model information.")
model.XML_CTYPE_EMPTY, model.XML_CTYPE_ANY, model.XML_CTYPE_MIXED, model.XML_CTYPE_NAME = 1, 2, 3, 4
model.XML_CTYPE_CHOICE, model.XML_CTYPE_SEQ = 5, 6
model.XML_CQUANT_NONE, model.XML_CQUANT_OPT, model.XML_CQUANT_REP, model.XML_CQUANT_PLUS = range(4)
sys.modules["pyexpat.errors"], sys.modules["pyexpat.model"] = errors, model


class ExpatError(Exception):
    __module__ = "xml.parsers.expat"


error = ExpatError


def ErrorString(code, /):
    return _TEXTS.get(code)


_FIRST = r"[:A-Z_a-z\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d\u2070-\u218f\u2c00-\u2fef" \
    r"\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff]"
_LATER = _FIRST[:-1] + r"\-.0-9\xb7\u0300-\u036f\u203f-\u2040]"
_NAME = f"{_FIRST}{_LATER}*"
_SPACE = r"[ \t\r\n]"
_name = re.compile(_NAME)
_space = re.compile(_SPACE + "*")
_attribute = re.compile(rf"{_SPACE}+({_NAME}){_SPACE}*={_SPACE}*(?:\"([^\"<]*)\"|'([^'<]*)')")
_tag_end = re.compile(rf"{_SPACE}*(/?)>")
_close = re.compile(rf"</({_NAME}){_SPACE}*>")
_reference = re.compile(rf"&(?:#([0-9]+)|#x([0-9a-fA-F]+)|({_NAME}));")
_bad_char = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_declaration = re.compile(
    rf"<\?xml{_SPACE}+version{_SPACE}*={_SPACE}*[\"']([-a-zA-Z0-9_.:]+)[\"']"
    rf"(?:{_SPACE}+encoding{_SPACE}*={_SPACE}*[\"']([A-Za-z][-A-Za-z0-9._]*)[\"'])?"
    rf"(?:{_SPACE}+standalone{_SPACE}*={_SPACE}*[\"'](yes|no)[\"'])?{_SPACE}*\?>")
_literal = r"(?:\"[^\"]*\"|'[^']*')"
_external = rf"(?:SYSTEM{_SPACE}+({_literal})|PUBLIC{_SPACE}+({_literal})(?:{_SPACE}+({_literal}))?)"
_doctype = re.compile(rf"<!DOCTYPE{_SPACE}+({_NAME})(?:{_SPACE}+{_external})?{_SPACE}*([\[>])")
_entity = re.compile(rf"<!ENTITY{_SPACE}+(%{_SPACE}+)?({_NAME}){_SPACE}+(?:({_literal})|{_external}"
                     rf"(?:{_SPACE}+NDATA{_SPACE}+({_NAME}))?){_SPACE}*>")
_notation = re.compile(rf"<!NOTATION{_SPACE}+({_NAME}){_SPACE}+{_external}{_SPACE}*>")
_element = re.compile(rf"<!ELEMENT{_SPACE}+({_NAME}){_SPACE}+([^<>]*?){_SPACE}*>")
_attlist = re.compile(rf"<!ATTLIST{_SPACE}+({_NAME})((?:[^<>\"']|{_literal})*)>")
_attdef = re.compile(
    rf"{_SPACE}+({_NAME}){_SPACE}+((?:NOTATION{_SPACE}*)?\([^)]*\)|[A-Z]+){_SPACE}+"
    rf"(?:(#REQUIRED|#IMPLIED)|(?:#FIXED{_SPACE}+)?({_literal}))")
_PREDEFINED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}
_XML = "http://www.w3.org/XML/1998/namespace"
_XMLNS = "http://www.w3.org/2000/xmlns/"
_EVENTS = ("StartElement", "EndElement", "ProcessingInstruction", "CharacterData", "UnparsedEntityDecl", "NotationDecl",
           "StartNamespaceDecl", "EndNamespaceDecl", "Comment", "StartCdataSection", "EndCdataSection", "NotStandalone",
           "ExternalEntityRef", "StartDoctypeDecl", "EndDoctypeDecl", "EntityDecl", "XmlDecl", "ElementDecl",
           "AttlistDecl", "SkippedEntity")


class _Stop(Exception):
    """What follows is not there yet."""


class _Wrong(Exception):
    """An error: its name and where."""


def _unquoted(literal):
    return None if literal is None else literal[1:-1]


class xmlparser:
    __module__ = "pyexpat"

    def __init__(self, encoding, namespace_separator, intern):
        self._encoding, self._separator, self.intern = encoding, namespace_separator, intern
        for event in _EVENTS:
            self.__dict__[event + "Handler"] = None
        self.DefaultHandler = self.DefaultHandlerExpand = None
        self._held = []
        self.buffer_text = self.ordered_attributes = self.specified_attributes = self.namespace_prefixes = False
        self.buffer_size = 8192
        self.buffer_used = 0
        self.ErrorCode = 0
        self._bytes = b""
        self._codec = None
        self._text, self._at = "", 0
        self._line, self._column, self._offset, self._counted = 1, 0, 0, 0
        self._state = "start"
        self._open = []
        self._spaces = [{"xml": _XML}]
        self._entities, self._parameters, self._defaults, self._types = {}, {}, {}, {}
        self._expanding, self._expanded, self._fed = [], 0, 0
        self._base = None
        self._incomplete_dtd = self._standalone = self._has_doctype = self._foreign = False
        self._depth = 0
        self._failed = None

    def __setattr__(self, name, value):
        if name in ("buffer_text", "ordered_attributes", "specified_attributes", "namespace_prefixes"):
            if name == "buffer_text" and not value:
                self._flush()
            value = bool(value)
        self.__dict__[name] = value

    # Where it is

    def _place(self):
        """Line, column and byte offset of the place in the text, counted on from the last time."""
        passed = self._text[self._counted:self._at]
        if passed and not self._expanding:
            newlines = passed.count("\n")
            if newlines:
                self._line += newlines
                self._column = len(passed) - passed.rindex("\n") - 1
            else:
                self._column += len(passed)
            self._offset += len(passed.encode("utf-8", "surrogatepass"))
            self._counted = self._at
        return self._line, self._column, self._offset

    CurrentLineNumber = ErrorLineNumber = property(lambda self: self._place()[0])
    CurrentColumnNumber = ErrorColumnNumber = property(lambda self: self._place()[1])

    @property
    def CurrentByteIndex(self):
        return self._place()[2] if self._fed else -1

    ErrorByteIndex = CurrentByteIndex

    # What the script calls

    def SetBase(self, base, /):
        self._base = base

    def GetBase(self):
        return self._base

    def GetInputContext(self):
        return self._text[self._at:].encode() if self._text else None

    def SetParamEntityParsing(self, flag, /):
        if not -(2**31) <= operator.index(flag) < 2**31:
            raise OverflowError("Python int too large to convert to C int")
        # Parameter entities from outside are never read, which is what every flag allows.
        return 1

    def UseForeignDTD(self, flag=True, /):
        if self._state != "start":
            raise self._error("CANT_CHANGE_FEATURE_ONCE_PARSING")
        self._foreign = bool(flag)

    def ExternalEntityParserCreate(self, context, encoding=None, /):
        parser = xmlparser(encoding, self._separator, self.intern)
        for name, value in self.__dict__.items():
            if name.endswith("Handler") or name in ("DefaultHandlerExpand", "_base", "buffer_text", "ordered_attributes",
                                                    "specified_attributes", "namespace_prefixes"):
                parser.__dict__[name] = value
        parser._entities, parser._defaults = self._entities, self._defaults
        parser._spaces = list(self._spaces)
        parser._state = "external"
        return parser

    def ParseFile(self, file, /):
        if not hasattr(file, "read"):
            raise TypeError("argument must have 'read' attribute")
        while True:
            data = file.read(2048)
            if not isinstance(data, (bytes, bytearray, str)):
                raise TypeError(f"read() did not return a bytes object (type={type(data).__name__})")
            if not data:
                return self.Parse(b"", True)
            self.Parse(data, False)

    def Parse(self, data, isfinal=False, /):
        if self._state == "finished":
            raise self._error(self._failed or "FINISHED")
        if isinstance(data, str):
            data = data.encode()
            self._codec = self._codec or "utf-8"
            self._encoding = "utf-8"
        elif not isinstance(data, (bytes, bytearray)):
            raise TypeError(f"a bytes-like object is required, not '{type(data).__name__}'")
        self._fed += len(data)
        # What is behind it is not needed any more.
        self._place()
        self._text, self._at, self._counted = self._text[self._at:], 0, 0
        try:
            self._text += self._decoded(bytes(data), isfinal)
            self._scan(isfinal)
        except _Wrong as wrong:
            name, at = wrong.args
            if at is not None:
                self._at = at
            self._state, self._failed = "finished", name
            raise self._error(name) from None
        self._flush()
        if isfinal:
            self._state = "finished"
        return 1

    def _error(self, name):
        self.ErrorCode = code = _NUMBERS[name]
        line, column, _ = self._place()
        made = ExpatError(f"{_TEXTS[code]}: line {line}, column {column}")
        made.code, made.lineno, made.offset = code, line, column
        return made

    # Bytes to text

    def _decoded(self, data, final):
        data = self._bytes + data
        if self._codec is None:
            if len(data) < 4 and not final:
                self._bytes = data
                return ""
            self._codec = self._found_codec(data)
            if data.startswith(b"\xef\xbb\xbf"):
                data = data[3:]
            elif self._codec.startswith("utf-16") and data[:2] in (b"\xff\xfe", b"\xfe\xff"):
                data = data[2:]
        end = len(data)
        try:
            text, used = data.decode(self._codec), end
        except LookupError:
            raise _Wrong("UNKNOWN_ENCODING", None) from None
        except UnicodeDecodeError as e:
            if e.start < end - 3 or final:
                self._text += data[:e.start].decode(self._codec)
                raise _Wrong("PARTIAL_CHAR" if e.start >= end - 3 else "INVALID_TOKEN",
                             len(self._text)) from None
            text, used = data[:e.start].decode(self._codec), e.start
        self._bytes = data[used:]
        if "\r" in text:
            if text.endswith("\r") and not final:
                self._bytes = (b"\r" if len("\r".encode(self._codec)) == 1 else "\r".encode(self._codec)) + self._bytes
                text = text[:-1]
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        return text

    def _found_codec(self, data):
        if self._encoding:
            return self._encoding
        if data[:2] == b"\xff\xfe" or data[1:2] == b"\0":
            return "utf-16-le"
        if data[:2] == b"\xfe\xff" or data[:1] == b"\0":
            return "utf-16-be"
        declared = re.match(rb"""\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z][-A-Za-z0-9._]*)""", data)
        name = declared.group(1).decode().lower() if declared else "utf-8"
        return "utf-8" if name.startswith("utf-16") else name

    # Calls

    def _flush(self):
        if self._held:
            text = "".join(self._held)
            self._held.clear()
            self.buffer_used = 0
            if self.CharacterDataHandler is not None:
                self.CharacterDataHandler(text)

    def _data(self, text):
        if self.CharacterDataHandler is None:
            self._default(text)
        elif self.buffer_text:
            self._held.append(text)
            self.buffer_used += len(text)
            if self.buffer_used > self.buffer_size:
                self._flush()
        else:
            self.CharacterDataHandler(text)

    def _lines(self, text):
        """Text without markup: whole where it is put together anyway, else line by line, as expat gives it."""
        if self.buffer_text and self.CharacterDataHandler is not None:
            self._data(text)
            return
        at, start = 0, self._at
        while at < len(text):
            end = text.find("\n", at)
            end = at + 1 if end == at else end if end >= 0 else len(text)
            self._at = start + at
            self._data(text[at:end])
            at = end
        self._at = start

    def _default(self, text):
        handler = self.DefaultHandlerExpand or self.DefaultHandler
        if handler is not None and text:
            self._flush()
            handler(text)

    def _call(self, event, token, *arguments):
        handler = self.__dict__[event + "Handler"]
        if handler is None:
            if token is not None:
                self._default(token)
            return None
        self._flush()
        return handler(*arguments)

    # The document

    def _scan(self, final):
        try:
            while self._at < len(self._text):
                self._one(final)
        except _Stop:
            if final:
                if self._state == "cdata":
                    raise _Wrong("UNCLOSED_CDATA_SECTION", len(self._text)) from None
                raise _Wrong("UNCLOSED_TOKEN", None) from None
            return
        if final:
            if self._state == "cdata":
                raise _Wrong("UNCLOSED_CDATA_SECTION", None)
            if self._bytes:
                raise _Wrong("PARTIAL_CHAR", None)
            if self._open:
                raise _Wrong("ASYNC_ENTITY" if self._state == "external" else "NO_ELEMENTS", None)
            if self._state in ("start", "prolog", "dtd"):
                raise _Wrong("NO_ELEMENTS", None)

    def _one(self, final):
        """One token at the place in the text, which moves behind it."""
        state, text, at = self._state, self._text, self._at
        if state == "cdata":
            end = text.find("]]>", at)
            stop = end if end >= 0 else len(text)
            while end < 0 and not final and stop > max(at, len(text) - 2) and text[stop - 1] == "]":
                stop -= 1
            if stop > at:
                self._checked(at, stop)
                self._lines(text[at:stop])
                self._at = stop
            if end < 0:
                raise _Stop
            self._call("EndCdataSection", "]]>")
            self._at, self._state = end + 3, self._after_cdata
            return
        if state == "dtd":
            self._declaration(text, at)
            return
        content = bool(self._open) or state == "external"
        if text[at] != "<":
            if content:
                self._characters(text, at, final)
            else:
                end = _space.match(text, at).end()
                if end == at:
                    raise _Wrong("JUNK_AFTER_DOC_ELEMENT" if state == "epilog" else
                                 "INVALID_TOKEN" if _bad_char.match(text, at) else "SYNTAX", None)
                self._default(text[at:end])
                self._at = end
                if state == "start":
                    self._state = "prolog"
            return
        if len(text) < at + 2:
            raise _Stop
        mark = text[at + 1]
        if mark == "?":
            self._instruction(text, at)
        elif mark == "!":
            self._marked(text, at, content)
        elif mark == "/":
            if not content or not self._open:
                raise _Wrong("INVALID_TOKEN", at + 1)
            self._end(text, at)
        else:
            if state == "epilog":
                raise _Wrong("JUNK_AFTER_DOC_ELEMENT", None)
            self._start(text, at)

    def _until(self, text, end, at):
        found = text.find(end, at)
        if found < 0:
            raise _Stop
        return found

    def _checked(self, start, end):
        bad = _bad_char.search(self._text, start, end)
        if bad is not None:
            raise _Wrong("INVALID_TOKEN", bad.start())

    def _instruction(self, text, at):
        end = self._until(text, "?>", at)
        token = text[at:end + 2]
        name = _name.match(text, at + 2)
        if name is None or (name.end() < end and text[name.end()] not in " \t\r\n"):
            raise _Wrong("INVALID_TOKEN", at + 2 if name is None else name.end())
        if name.group().lower() == "xml":
            if name.group() != "xml":
                raise _Wrong("INVALID_TOKEN", at + 2)
            if self._state not in ("start", "external") or self._open:
                raise _Wrong("MISPLACED_XML_PI", None)
            declared = _declaration.fullmatch(token)
            if declared is None and self._state == "start":
                raise _Wrong("XML_DECL", at + 6)
            if declared is not None and self._state == "start":
                version, encoding, standalone = declared.groups()
                self._standalone = standalone == "yes"
                self._call("XmlDecl", token, version, encoding, {"yes": 1, "no": 0}.get(standalone, -1))
        else:
            self._checked(at, end)
            data = text[_space.match(text, name.end()).end():end]
            self._call("ProcessingInstruction", token, self._interned(name.group()), data)
        self._at = end + 2
        if self._state == "start":
            self._state = "prolog"

    def _marked(self, text, at, content):
        if text.startswith("<!--", at):
            end = self._until(text, "--", at + 4)
            if len(text) < end + 3:
                raise _Stop
            if text[end + 2] != ">":
                raise _Wrong("INVALID_TOKEN", end + 2)
            self._checked(at, end)
            self._call("Comment", text[at:end + 3], text[at + 4:end])
            self._at = end + 3
        elif text.startswith("<![CDATA[", at) and content:
            self._call("StartCdataSection", "<![CDATA[")
            self._after_cdata, self._state, self._at = self._state, "cdata", at + 9
            return
        elif text.startswith("<!DOCTYPE", at) and not content and self._state in ("start", "prolog"):
            self._start_doctype(text, at)
            return
        elif any(word.startswith(text[at:at + len(word)]) for word in ("<!--", "<![CDATA[", "<!DOCTYPE")):
            raise _Stop
        else:
            raise _Wrong("JUNK_AFTER_DOC_ELEMENT" if self._state == "epilog" else "SYNTAX"
                         if text.startswith("<!DOCTYPE", at) else "INVALID_TOKEN", at if self._state == "epilog" else at + 2)
        if self._state == "start":
            self._state = "prolog"

    def _interned(self, name):
        return name if self.intern is None else self.intern.setdefault(name, name)

    # Elements

    def _start(self, text, at):
        name = _name.match(text, at + 1)
        if name is None:
            raise _Wrong("INVALID_TOKEN", at + 1)
        given, seen, place = [], {}, name.end()
        while (found := _attribute.match(text, place)) is not None:
            attribute = found.group(1)
            if attribute in seen:
                raise _Wrong("DUPLICATE_ATTRIBUTE", found.start(1))
            seen[attribute] = True
            value = found.group(2)
            if value is None:
                value = found.group(3)
            if "&" in value or "\n" in value or "\t" in value:
                value = self._value(value, found.start(2) if found.group(2) is not None else found.start(3))
            given.append((attribute, value))
            place = found.end()
        end = _tag_end.match(text, place)
        if end is None:
            self._bad_tag(text, place)
        self._checked(at, end.end())
        kind = name.group()
        types = self._types.get(kind)
        if types:
            given = [(a, " ".join(v.split()) if types.get(a, "CDATA") != "CDATA" else v) for a, v in given]
        specified = len(given)
        for attribute, value in self._defaults.get(kind, {}).items():
            if attribute not in seen:
                given.append((attribute, value))
        declared, shown = [], kind
        if self._separator is not None:
            shown, given, declared, specified = self._qualified(kind, given, specified)
        if self.specified_attributes:
            given = given[:specified]
        token = text[at:end.end()]
        for prefix, uri in declared:
            self._call("StartNamespaceDecl", None, prefix, uri)
        shown = self._interned(shown)
        given = [(self._interned(a), v) for a, v in given]
        attributes = [part for pair in given for part in pair] if self.ordered_attributes else dict(given)
        self._state = "content" if self._state != "external" else "external"
        self._call("StartElement", token, shown, attributes)
        self._open.append((kind, shown, declared))
        self._at = end.end()
        if end.group(1):
            self._leave(None)

    def _bad_tag(self, text, place):
        """Why a start tag does not go on: more is to come, or the first character that cannot be there."""
        after = _space.match(text, place).end()
        if after < len(text):
            if text[after] == "/":
                if after + 1 < len(text):
                    raise _Wrong("INVALID_TOKEN", after + 1)
                raise _Stop
            name = _name.match(text, after) if after > place else None
            if name is None:
                raise _Wrong("INVALID_TOKEN", after)
            equals = _space.match(text, name.end()).end()
            if equals < len(text):
                if text[equals] != "=":
                    raise _Wrong("INVALID_TOKEN", equals)
                quote = _space.match(text, equals + 1).end()
                if quote < len(text):
                    if text[quote] not in "\"'":
                        raise _Wrong("INVALID_TOKEN", quote)
                    less, close = text.find("<", quote + 1), text.find(text[quote], quote + 1)
                    if less >= 0 and (close < 0 or less < close):
                        raise _Wrong("INVALID_TOKEN", less)
        raise _Stop

    def _end(self, text, at):
        found = _close.match(text, at)
        if found is None:
            name = _name.match(text, at + 2)
            place = at + 2 if name is None else _space.match(text, name.end()).end()
            if place >= len(text):
                raise _Stop
            raise _Wrong("INVALID_TOKEN", place)
        if self._open[-1][0] != found.group(1) or len(self._open) <= self._depth:
            raise _Wrong("TAG_MISMATCH", at + 2)
        self._leave(found.group())
        self._at = found.end()

    def _leave(self, token):
        _, shown, declared = self._open.pop()
        self._call("EndElement", token, shown)
        for prefix, _ in reversed(declared):
            self._call("EndNamespaceDecl", None, prefix)
        if self._separator is not None:
            self._spaces.pop()
        if not self._open and self._state == "content":
            self._state = "epilog"

    def _qualified(self, kind, given, specified):
        """Names with namespaces: of an element and its attributes. And what it declares."""
        declared, rest, spaces, kept = [], [], self._spaces[-1], 0
        for at, (attribute, value) in enumerate(given):
            if attribute == "xmlns":
                declared.append((None, value or None))
            elif attribute.startswith("xmlns:"):
                prefix = attribute[6:]
                if prefix == "xmlns":
                    raise _Wrong("RESERVED_PREFIX_XMLNS", None)
                if (prefix == "xml") != (value == _XML):
                    raise _Wrong("RESERVED_PREFIX_XML" if prefix == "xml" else "RESERVED_NAMESPACE_URI", None)
                if value == _XMLNS:
                    raise _Wrong("RESERVED_NAMESPACE_URI", None)
                if not value:
                    raise _Wrong("UNDECLARING_PREFIX", None)
                declared.append((prefix, value))
            else:
                rest.append((attribute, value))
                kept += at < specified
        if declared:
            spaces = {**spaces, **dict(declared)}
        self._spaces.append(spaces)
        names = [(self._expanded_name(a, spaces) if ":" in a else a, v) for a, v in rest]
        if len(dict(names)) < len(names):
            raise _Wrong("DUPLICATE_ATTRIBUTE", None)
        return self._expanded_name(kind, spaces), names, declared, kept

    def _expanded_name(self, name, spaces):
        prefix, colon, local = name.rpartition(":")
        if colon and prefix not in spaces:
            raise _Wrong("UNBOUND_PREFIX", None)
        uri = spaces.get(prefix or None)
        if not uri:
            return name
        made = f"{uri}{self._separator}{local}"
        return f"{made}{self._separator}{prefix}" if prefix and self.namespace_prefixes else made

    # Text and references

    def _characters(self, text, at, final):
        if text[at] == "&":
            self._content_reference(text, at)
            return
        less = text.find("<", at)
        end = less if less >= 0 else len(text)
        amp = text.find("&", at, end)
        if amp >= 0:
            end = amp
        run = text[at:end]
        wrong = run.find("]]>")
        if wrong >= 0:
            raise _Wrong("INVALID_TOKEN", at + wrong + 2)
        if end == len(text) and not final:
            # `]]>` may be coming.
            while run and run[-1] == "]":
                run = run[:-1]
            if not run:
                raise _Stop
        self._checked(at, at + len(run))
        self._lines(run)
        self._at = at + len(run)

    def _character(self, found, at):
        number = int(found.group(1)) if found.group(1) else int(found.group(2), 16)
        if number > 0x10ffff or 0xd800 <= number < 0xe000 or _bad_char.match(chr(number)):
            raise _Wrong("BAD_CHAR_REF", at)
        return chr(number)

    def _found_reference(self, text, at):
        found = _reference.match(text, at)
        if found is None:
            place = at + 1
            if text.startswith("#", place):
                digits = re.compile("#(x[0-9a-fA-F]*|[0-9]*)").match(text, place)
                place = digits.end()
            elif (name := _name.match(text, place)) is not None:
                place = name.end()
            if place >= len(text):
                raise _Stop
            raise _Wrong("INVALID_TOKEN", place)
        return found

    def _content_reference(self, text, at):
        found = self._found_reference(text, at)
        name = found.group(3)
        if name is None:
            self._data(self._character(found, at))
        elif name in _PREDEFINED:
            self._data(_PREDEFINED[name])
        else:
            self._general(name, found.group(), at)
        self._at = found.end()

    def _general(self, name, token, at):
        entity = self._entities.get(name)
        if entity is None:
            if self._has_doctype and self._incomplete_dtd and not self._standalone or self._foreign:
                if self.SkippedEntityHandler is not None:
                    self._call("SkippedEntity", token, name, 0)
                else:
                    self._default(token)
                return
            raise _Wrong("UNDEFINED_ENTITY", at)
        value, system, public, notation = entity
        if notation is not None:
            raise _Wrong("BINARY_ENTITY_REF", at)
        if name in self._expanding:
            raise _Wrong("RECURSIVE_ENTITY_REF", at)
        if value is None:
            if self.ExternalEntityRefHandler is None:
                self._default(token)
            elif not self._call("ExternalEntityRef", token, name, self._base, system, public):
                raise _Wrong("EXTERNAL_ENTITY_HANDLING", at)
            return
        if self.DefaultHandler is not None and self.DefaultHandlerExpand is None:
            # As expat: who takes what nobody else takes gets entities as they are.
            if self.SkippedEntityHandler is not None:
                self._call("SkippedEntity", token, name, 0)
            else:
                self._default(token)
            return
        self._grow(len(value), at)
        outer = self._text, self._at, self._counted, self._depth, self._state
        place = self._place()
        self._expanding.append(name)
        self._text, self._at, self._counted, self._depth = value, 0, 0, len(self._open)
        opened = len(self._open)
        try:
            while self._at < len(self._text):
                self._one(True)
            if len(self._open) != opened:
                raise _Wrong("ASYNC_ENTITY", at)
        except _Stop:
            raise _Wrong("UNCLOSED_TOKEN", at) from None
        except _Wrong as wrong:
            raise _Wrong(wrong.args[0], at) from None
        finally:
            self._expanding.pop()
            self._text, self._at, self._counted, self._depth, self._state = outer
            self._line, self._column, self._offset = place
            self._counted = self._at

    def _grow(self, length, at):
        self._expanded += length
        if self._expanded > 8388608 and self._expanded > 100 * self._fed:
            raise _Wrong("AMPLIFICATION_LIMIT_BREACH", at)

    def _value(self, raw, at):
        """The value of an attribute: references expanded, white space made blanks."""
        out, place = [], 0
        while (amp := raw.find("&", place)) >= 0:
            out.append(raw[place:amp].replace("\n", " ").replace("\t", " "))
            found = _reference.match(raw, amp)
            if found is None:
                name = _name.match(raw, amp + 1)
                raise _Wrong("INVALID_TOKEN", at + (name.end() if name else amp + 1))
            name = found.group(3)
            if name is None:
                out.append(self._character(found, at + amp))
            elif name in _PREDEFINED:
                out.append(_PREDEFINED[name])
            else:
                out.append(self._attribute_entity(name, at + amp))
            place = found.end()
        out.append(raw[place:].replace("\n", " ").replace("\t", " "))
        return "".join(out)

    def _attribute_entity(self, name, at):
        if name not in self._entities:
            if self._has_doctype and self._incomplete_dtd and not self._standalone:
                return ""
            raise _Wrong("UNDEFINED_ENTITY", at)
        value, _, _, notation = self._entities[name]
        if name in self._expanding:
            raise _Wrong("RECURSIVE_ENTITY_REF", at)
        if value is None:
            raise _Wrong("BINARY_ENTITY_REF" if notation else "ATTRIBUTE_EXTERNAL_ENTITY_REF", at)
        if "<" in value:
            raise _Wrong("INVALID_TOKEN", at)
        self._grow(len(value), at)
        self._expanding.append(name)
        try:
            return self._value(value, at)
        finally:
            self._expanding.pop()

    # The document type

    def _start_doctype(self, text, at):
        found = _doctype.match(text, at)
        if found is None:
            if "[" in text[at:] or ">" in text[at:]:
                raise _Wrong("SYNTAX", at + 9)
            raise _Stop
        name, system, public, system_too, mark = found.groups()
        system = _unquoted(system or system_too)
        if public is not None:
            public = " ".join(_unquoted(public).split())
        self._has_doctype, self._incomplete_dtd = True, system is not None
        if self.StartDoctypeDeclHandler is None:
            for part in re.findall(rf"{_SPACE}+|{_literal}|[\[\]>]|[^ \t\r\n\"'\[\]>]+", found.group()):
                self._default(part)
        self._at = found.end()
        self._call("StartDoctypeDecl", None, name, system, public, int(mark == "["))
        if mark == ">":
            self._call("EndDoctypeDecl", None)
            self._state = "prolog"
        else:
            self._state = "dtd"

    def _declaration(self, text, at):
        """One declaration between the brackets of the document type."""
        end = _space.match(text, at).end()
        if end > at:
            self._default(text[at:end])
            self._at = end
            return
        if text[at] == "]":
            close = _space.match(text, at + 1).end()
            if close >= len(text):
                raise _Stop
            if text[close] != ">":
                raise _Wrong("SYNTAX", close)
            self._default("]" if self.StartDoctypeDeclHandler is None else "")
            self._at = close + 1
            self._call("EndDoctypeDecl", ">")
            self._state = "prolog"
            return
        if text[at] == "%":
            semicolon = self._until(text, ";", at)
            name = text[at + 1:semicolon]
            value = self._parameters.get(name)
            if value is None:
                self._incomplete_dtd = True
                self._call("SkippedEntity", text[at:semicolon + 1], name, 1)
                self._at = semicolon + 1
                return
            if name in self._expanding:
                raise _Wrong("RECURSIVE_ENTITY_REF", at)
            self._grow(len(value), at)
            # Its text stands in its place.
            self._text = text[:at] + f" {value} " + text[semicolon + 1:]
            return
        if text.startswith("<?", at):
            state, self._state = self._state, "prolog"
            self._instruction(text, at)
            self._state = state
            return
        if text.startswith("<!--", at):
            self._marked(text, at, False)
            return
        if text[at] != "<":
            raise _Wrong("SYNTAX", at)
        for pattern, act in ((_entity, self._entity_declared), (_attlist, self._attributes_declared),
                             (_element, self._element_declared), (_notation, self._notation_declared)):
            found = pattern.match(text, at)
            if found is not None:
                # Handlers find the place behind the declaration's name and content.
                self._at = found.end() - 1
                act(found)
                self._at = found.end()
                return
        if re.compile(r"<[^<>\"']*(?:(?:\"[^\"]*\"|'[^']*')[^<>\"']*)*>").match(text, at):
            raise _Wrong("SYNTAX", at + 2)
        raise _Stop

    def _entity_declared(self, found):
        parameter, name, literal, system, public, system_too, notation = found.groups()
        system, public, value = _unquoted(system or system_too), _unquoted(public), _unquoted(literal)
        if value is not None:
            # Character references are expanded here, entities where the entity is used.
            value = re.compile(r"&#(?:([0-9]+)|x([0-9a-fA-F]+));").sub(
                lambda m: self._character(m, found.start()), value)
            if "%" in value:
                value = re.compile(rf"%({_NAME});").sub(lambda m: self._parameters.get(m.group(1)) or "", value)
        table = self._parameters if parameter else self._entities
        if parameter:
            table.setdefault(name, value)
        else:
            table.setdefault(name, (value, system, public, notation))
        if notation is not None and self.UnparsedEntityDeclHandler is not None:
            self._call("UnparsedEntityDecl", found.group(), name, self._base, system, public, notation)
        else:
            self._call("EntityDecl", found.group(), name, int(bool(parameter)), value, self._base, system, public,
                       notation)

    def _notation_declared(self, found):
        name, system, public, system_too = found.groups()
        self._call("NotationDecl", found.group(), name, self._base, _unquoted(system or system_too), _unquoted(public))

    def _attributes_declared(self, found):
        element, place = found.group(1), found.start(2)
        body_end = found.end(2)
        shown = False
        while (one := _attdef.match(self._text, place, body_end)) is not None:
            name, kind, required, literal = one.groups()
            kind = re.sub(_SPACE + "+", "", kind)
            default = None if literal is None else self._value(_unquoted(literal), one.start(4))
            self._types.setdefault(element, {}).setdefault(name, kind)
            if default is not None:
                self._defaults.setdefault(element, {}).setdefault(name, default)
            fixed = literal is not None and "#FIXED" in one.group()
            self._at = one.end()
            if self.AttlistDeclHandler is not None:
                self._call("AttlistDecl", None, element, name, kind, default, int(required == "#REQUIRED" or fixed))
                shown = True
            place = one.end()
        if _space.match(self._text, place).end() != body_end:
            raise _Wrong("SYNTAX", place)
        if not shown:
            self._default(found.group())

    def _element_declared(self, found):
        name, content = found.groups()
        if self.ElementDeclHandler is None:
            self._default(found.group())
            return
        tokens = re.findall(rf"#PCDATA|{_NAME}|[()|,?*+]", content)
        self._call("ElementDecl", None, name, self._model(tokens, found.start()))

    def _model(self, tokens, at):
        if tokens == ["EMPTY"] or tokens == ["ANY"]:
            return (2 if tokens == ["ANY"] else 1, 0, None, ())
        tokens = iter([*tokens, ""])
        token = next(tokens)

        def advance():
            nonlocal token
            token = next(tokens, "")

        def quantity():
            found = "?*+".find(token) + 1 if token else 0
            if found:
                advance()
            return found

        def particle():
            if token != "(":
                if not token or not _name.fullmatch(token):
                    raise _Wrong("SYNTAX", at)
                name = token
                advance()
                return (4, quantity(), name, ())
            advance()
            children, kind = [], 6
            if token == "#PCDATA":
                kind = 3
                advance()
            else:
                children.append(particle())
            while token in ("|", ","):
                kind = 3 if kind == 3 else 5 if token == "|" else 6
                advance()
                children.append(particle())
            if token != ")":
                raise _Wrong("SYNTAX", at)
            advance()
            return (kind, quantity(), None, tuple(children))

        return particle()


XMLParserType = xmlparser


def ParserCreate(encoding=None, namespace_separator=None, intern=...):
    if encoding is not None and not isinstance(encoding, str):
        raise TypeError(f"ParserCreate() argument 'encoding' must be str or None, not {type(encoding).__name__}")
    if namespace_separator is not None:
        if not isinstance(namespace_separator, str):
            raise TypeError("ParserCreate() argument 'namespace_separator' must be str or None, not "
                            f"{type(namespace_separator).__name__}")
        if len(namespace_separator) > 1:
            raise ValueError("namespace_separator must be at most one character, omitted, or None")
    if intern is ...:
        intern = {}
    return xmlparser(encoding, namespace_separator, intern)

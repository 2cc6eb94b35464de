"""Built-in calls with more, fewer or other arguments than they take."""


def show(*calls):
    for f in calls:
        try:
            print(repr(f()))
        except Exception as e:
            print(type(e).__name__, e)


show(
    lambda: UnicodeDecodeError("a"), lambda: UnicodeEncodeError("a", "b", 1, 2), lambda: UnicodeTranslateError("a"),
    lambda: UnicodeDecodeError("utf8", b"x", 0, 1, "r"), lambda: UnicodeTranslateError("a", 0, 1, "x"),
    lambda: SyntaxError("a", ()), lambda: SyntaxError("a", (1, 2, 3, 4)), lambda: SyntaxError("a", (1, 2, 3, 4, 5)),
    lambda: SyntaxError("a", "abc"), lambda: SyntaxError("a", (1,) * 7), lambda: SyntaxError("a", 5),
    lambda: SyntaxError("a", ("f", 1, 2, "t", 3, 4)).end_offset, lambda: SyntaxError(text=1),
    lambda: OSError(k=1), lambda: FileNotFoundError(2, "no", key=1), lambda: ValueError(a=1), lambda: TimeoutError(base=2),
)
show(
    lambda: "ab".splitlines(1.5), lambda: "a\nb".splitlines(True), lambda: b"a\nb".splitlines(1), lambda: b"a".splitlines("x"),
    lambda: bytearray(b"a").splitlines({1}), lambda: b"a".rstrip(b"a", b"b"), lambda: bytearray(b"ab").lstrip(b"a"), lambda: "a".strip("a", "b"),
)
show(
    lambda: b"%s" % b"a", lambda: b"x" % b"a", lambda: b"x" % {}, lambda: b"x" % bytearray(b"a"), lambda: b"a" % (), lambda: b"a" % "b",
    lambda: bytearray(b"x") % b"y", lambda: "x" % b"y", lambda: b"%d%%" % 3, lambda: b"%a" % "é",
)
show(
    lambda: {}.__lt__(), lambda: (1j).__lt__(1, 2), lambda: object().__lt__(), lambda: (1).__lt__(), lambda: {}.__ge__({}),
    lambda: (2).__lt__(3), lambda: object().__gt__(4),
)


class Code(OSError):
    def __init__(self, message, *, code=0):
        super().__init__(message)
        self.code = code


show(lambda: Code("x", code=3).code, lambda: Code("y").args)

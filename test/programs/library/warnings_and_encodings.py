# Warnings with registries and filters; encodings of East Asia; classes of streams.
import io
import warnings


def old():
    warnings.warn("old", DeprecationWarning, stacklevel=2)


with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("default")
    for _ in range(3):
        old()
    print(len(told), "__warningregistry__" in globals())
    warnings.simplefilter("always")
    for _ in range(3):
        old()
    print(len(told), told[-1].category.__name__, told[-1].lineno)
    warnings.simplefilter("once")
    for _ in range(2):
        old()
        warnings.warn("old", DeprecationWarning)
    print(len(told))
with warnings.catch_warnings():
    warnings.filterwarnings("error", message="n[ao]", category=UserWarning)
    for text in ("yes", "no"):
        try:
            with warnings.catch_warnings(record=True) as told:
                warnings.warn(text)
            print(text, len(told))
        except UserWarning as error:
            print("raised", error)
    registry = {}
    warnings.simplefilter("default")
    with warnings.catch_warnings(record=True) as told:
        for line in (1, 1, 2):
            warnings.warn_explicit("told", UserWarning, "file.py", line, registry=registry)
        print(len(told), sorted(map(str, registry)))
for bad in (lambda: warnings.warn("x", int), lambda: warnings.warn_explicit("x", UserWarning, "f", 1, registry=5)):
    try:
        bad()
    except TypeError as error:
        print(error)

word = "\u65e5\u672c\u8a9e \u304b\u306a"
for name in ("shift_jis", "euc_jp", "iso2022_jp", "cp932"):
    data = word.encode(name)
    print(name, data, data.decode(name) == word)
for name, word in (("gbk", "\u4e2d\u6587"), ("gb18030", "\u4e2d\U0001f600"), ("big5", "\u4e2d\u6587"), ("euc_kr", "\ud55c\uae00"), ("cp949", "\ud55c")):
    print(name, word.encode(name), word.encode(name).decode(name) == word)
print("a\u20acb".encode("shift_jis", "replace"), b"a\xff\x82b".decode("euc_jp", "replace"))
for bad in (lambda: "a\u0e01".encode("gbk"), lambda: b"ab\x81".decode("shift_jis")):
    try:
        bad()
    except UnicodeError as error:
        print(error)
import codecs
decoder = codecs.getincrementaldecoder("shift_jis")()
print([decoder.decode(bytes([b])) for b in "\u65e5x\u672c".encode("shift_jis")])
with io.TextIOWrapper(io.BytesIO("\u65e5\u672c\n\u8a9e".encode("euc_jp")), encoding="euc_jp") as file:
    print(file.readlines())


class Upper(io.RawIOBase):
    def readable(self):
        return True

    def readinto(self, room):
        room[:2] = b"AB"
        return 2 if not self.closed else 0


print(type(io.IOBase).__name__, isinstance(open(__file__), io.TextIOBase), issubclass(io.BytesIO, io.BufferedIOBase),
      issubclass(io.FileIO, io.RawIOBase), isinstance(Upper(), io.IOBase), isinstance(io.StringIO(), io.RawIOBase))
print(io.BufferedReader(Upper()).read(3), [c.__name__ for c in Upper.__mro__])


class Own:
    pass


io.TextIOBase.register(Own)
print(isinstance(Own(), io.TextIOBase), isinstance(Own(), io.IOBase))

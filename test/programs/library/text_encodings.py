"""Encodings and what is done about errors; incremental ones; files and streams in them."""
import codecs
import io
import os
import tempfile


def show(label, f):
    try:
        r = f()
    except Exception as e:
        r = (type(e).__name__, str(e))
    print(label, repr(r))


TEXTS = ["abc", "héllo wörld", "Ж€ю", "日本語", "😀x", "a\nb\t\\", ""]
for name in """utf-8 utf-8-sig utf-16 utf-16-le utf-16-be utf-32 utf-32-le utf-32-be latin-1 ascii cp1252 cp1251 cp1250
cp437 cp850 iso8859-15 ISO-8859-2 koi8-r mac-roman cp866 cp037 tis-620 unicode_escape raw_unicode_escape punycode""".split():
    for text in TEXTS:
        show(f"{name} {text!r}", lambda: text.encode(name))
        for errors in ("ignore", "replace", "xmlcharrefreplace", "backslashreplace", "namereplace"):
            if name != "punycode":
                show(f"{name} {errors}", lambda: text.encode(name, errors))
        try:
            data = text.encode(name)
        except UnicodeError:
            continue
        show(f"{name} back", lambda: data.decode(name) == text)
for data in (b"a\xffb", b"\xe2\x82b", b"\xf0\x9f\x98", b"\xc0\x80", b"\xed\xa0\x80", b"\xff\xfea\0\xe9\0", b"\xfe\xff\0a", b"a\0b", b"\0\xd8a\0",
             b"\x81\x8d", b"\xff\xfe\0\0a\0\0\0", b"\0\0\xfe\xff\0\0\0a", b"abc", b"\\x41\\u00e9", b"\x00\xdc\x00\xd8"):
    for name in ("utf-8", "utf-8-sig", "ascii", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "cp1252", "latin-1", "cp1251"):
        for errors in ("strict", "ignore", "replace", "backslashreplace"):
            show(f"{data} {name} {errors}", lambda: data.decode(name, errors))
for name in ("nonsense", "hex", "rot13", "base64"):
    show(name, lambda: "abc".encode(name))
    show(name, lambda: b"abc".decode(name))
show("rot13", lambda: codecs.encode("Hello", "rot13"))
show("hex", lambda: (codecs.encode(b"ab", "hex"), codecs.decode(b"6162", "hex")))
show("base64", lambda: codecs.encode(b"abc", "base64"))
show("zlib", lambda: codecs.decode(codecs.encode(b"abc" * 9, "zlib"), "zlib"))
show("errors", lambda: "é".encode("ascii", "nonsense"))
show("lookup", lambda: [codecs.lookup(n).name for n in ("UTF8", "latin1", "L1", "U16", "windows-1252", "utf 8")])


def dashes(error):
    return "-" * (error.end - error.start), error.end


codecs.register_error("dashes", dashes)
show("dashes", lambda: ("aé€b".encode("ascii", "dashes"), b"a\xff\xfeb".decode("ascii", "dashes"), b"\xffb".decode("utf-8", "dashes")))
codecs.register_error("bad", lambda error: 3)
show("bad", lambda: "é".encode("ascii", "bad"))
codecs.register_error("bytes", lambda error: (b"\x00\x01", error.end))
show("bytes", lambda: "aé".encode("cp1252", "bytes") + "ж".encode("latin-1", "bytes"))

for name in ("utf-8", "utf-16", "utf-32-be", "utf-8-sig", "cp1252"):
    data = "aé€😀b".encode(name, "replace")
    decoder = codecs.getincrementaldecoder(name)()
    show(name, lambda: [decoder.decode(bytes([b])) for b in data] + [decoder.decode(b"", True)])
    encoder = codecs.getincrementalencoder(name)("replace")
    show(name, lambda: [encoder.encode(c) for c in "aé€b"])
decoder = codecs.getincrementaldecoder("utf-8")()
show("state", lambda: (decoder.decode(b"\xe2\x82"), decoder.getstate(), decoder.decode(b"\xac")))
show("cut", lambda: codecs.getincrementaldecoder("utf-8")().decode(b"\xe2\x82", True))
show("iterdecode", lambda: list(codecs.iterdecode([b"a\xc3", b"\xa9"], "utf-8")))
show("iterencode", lambda: list(codecs.iterencode(["a", "é"], "utf-16")))

folder = tempfile.mkdtemp()
path = os.path.join(folder, "f.txt")
for name in ("utf-16", "cp1251", "utf-8-sig", "utf-32-le"):
    with open(path, "w", encoding=name, newline="\n") as f:
        f.write("Привет\nмир\n")
    show(name, lambda: open(path, "rb").read())
    show(name, lambda: open(path, encoding=name).readlines())
    with codecs.open(path, "r", name) as f:
        show(name, lambda: (f.readline(), f.read()))
with codecs.open(path, "w", "utf-16") as f:
    f.write("a")
    f.writelines(["b\n", "é"])
show("written", lambda: open(path, "rb").read())
show("replace", lambda: open(path, encoding="ascii", errors="replace").read())
show("reader", lambda: codecs.getreader("cp1252")(io.BytesIO(b"\x80\xe9\n")).read())
out = io.BytesIO()
codecs.getwriter("utf-16-le")(out).write("é")
show("writer", lambda: out.getvalue())
show("recoder", lambda: codecs.EncodedFile(io.BytesIO("é".encode()), "latin-1", "utf-8").read())
show("charmap", lambda: codecs.charmap_encode("ab", "strict", {97: 120, 98: b"yz"}))
show("charmap", lambda: codecs.charmap_decode(b"\x00\x01", "replace", {0: "x"}))
show("escape", lambda: (codecs.escape_decode(rb"a\n\x41\101"), codecs.escape_encode(b"a\n'\xff")))
show("str", lambda: str(b"\xe9", "cp1252") + str(b"\xff", "utf-8", "backslashreplace"))
show("bytes", lambda: bytes("€", "cp1252") + bytearray("é", "utf-16-be"))

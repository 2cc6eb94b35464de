# Halves of surrogate pairs in texts, and what encodings make of them.
import json


def attempt(f, *args):
    try:
        print(ascii(f(*args)))
    except Exception as e:
        print(type(e).__name__, ascii(str(e)))


s = "a\ud800b"
print(len(s), ascii(s), [hex(ord(c)) for c in s], repr(s) == r"'a\ud800b'")
print(ascii("\U0000dfff"), ascii("\udc80\udcff"), ascii(r"\ud800"), ascii("\\ud800"), ascii("\\\ud83d"))
print(len("\ud83d\ude00"), "\ud83d\ude00" == "\U0001f600", ascii("\ud83d" + "\ude00"))
print(ascii(f"{1}\udc00{2!r}\ud800"), ascii(u"\udabc"), b"\ud800")
for code in 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0x10FFFF:
    c = chr(code)
    print(hex(ord(c)), len(c), ascii(c), c.isprintable(), c.isalpha(), c.isidentifier())
print(ascii("%c" % 0xD801), ascii("{:c}".format(0xDC01)), ascii("x".translate({120: 0xD805})))
print("\ud800" == "\ud800", "\ud800" != "\ud801", "\ud800" < "\udfff", "\ud800" in s, s.index("\ud800"), {"\ud800": 1}["\ud800"])
print([ascii(p) for p in s.split("\ud800")], ascii(s.upper()), ascii(s.replace("\ud800", "é")), ascii(s[::-1]))

for encoding in "utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be", "ascii", "latin-1", "cp1252", "utf-7":
    for errors in "strict", "surrogatepass", "surrogateescape", "replace", "ignore", "backslashreplace", "xmlcharrefreplace":
        print(encoding, errors, end=" ")
        attempt("é\ud800".encode if encoding == "utf-8" else "e\ud800".encode, encoding, errors)
    print(encoding, end=" ")
    attempt("x\udc80\udcffy".encode, encoding, "surrogateescape")

for data in b"a\xffb", b"\xed\xa0\x80", b"\xed\xa0\x80\xed\xb0\x80", b"\xc3", b"\xf0\x90", b"\x80\xe9":
    for errors in "strict", "surrogateescape", "surrogatepass", "replace", "ignore":
        print(data, errors, end=" ")
        attempt(data.decode, "utf-8", errors)
        print(data, errors, "ascii", end=" ")
        attempt(data.decode, "ascii", errors)
attempt(b"\x00\xd8a\x00".decode, "utf-16-le", "surrogatepass")
attempt(b"\x00\xd8a\x00".decode, "utf-16-le", "strict")
attempt(b"\xd8\x00\x00a".decode, "utf-16-be", "surrogatepass")
attempt(b"\x00\xd8\x00\x00".decode, "utf-32-le", "surrogatepass")
attempt(rb"\ud800\U0000dfff".decode, "unicode_escape")
attempt("\ud800\n".encode, "unicode_escape")
attempt("\ud800".encode, "raw_unicode_escape")
name = b"caf\xe9 \xff".decode("utf-8", "surrogateescape")
print(ascii(name), name.encode("utf-8", "surrogateescape"))

print(json.dumps("\ud800x"), ascii(json.loads('"\\ud800x"')), ascii(json.loads('"\\ud83d\\ude00"')))
print(ascii(json.dumps("\udfff", ensure_ascii=False)))
attempt(print, "\ud800")
attempt("\udc00".encode)
try:
    "ab\ud800\udc01c".encode()
except UnicodeEncodeError as e:
    print(e.encoding, e.start, e.end, e.reason, ascii(e.object))
attempt(chr, 0x110000)
attempt(compile, "x = '\ud800'", "f", "exec")
print(ascii(eval(r"'\ud800'")), ascii(eval(ascii("'\udc12'"))))
import re
print([ascii(m) for m in re.findall("[\ud800-\udfff]", "a\ud800b\udfffc\ue000")], bool(re.match(r"\ud800", "\ud800")))
import pickle
print(ascii(pickle.loads(pickle.dumps("x\ud800y"))))
print(sorted(map(ascii, {"\ud800", "\udc00", "a"})), hash("\ud800") == hash("\ud800"))

# UTF-7, in which they can be written
for text in "plain", "a+b", "é", "Hi Mom -\u263a-!", "\U0001f600x", "~\\", "日本語-", "a\u00e9b", "\u00e9-", "1é2", "\x00":
    data = text.encode("utf-7")
    print(data, data.decode("utf-7") == text)
for data in b"+AOk", b"+AOk-", b"+AO", b"+-", b"+", b"+!", b"+AOkx", b"a\xff", b"+2AA-", b"+2D3eAA-", b"+AOkA-", b"+////-", b"~+AGE.":
    for errors in "strict", "replace":
        print(data, errors, end=" ")
        attempt(data.decode, "utf-7", errors)
import codecs
decoder = codecs.getincrementaldecoder("utf-7")()
print([ascii(decoder.decode(bytes((b,)))) for b in b"a+AOk-b"], ascii(decoder.decode(b"", True)))

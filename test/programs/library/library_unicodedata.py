# unicodedata and the methods of str that ask it, over all characters: what is not in the Unicode of Python 3.11 is none.
import unicodedata as u
import zlib

BLOCK = range(0x10F000, 0x10F800)  # Private characters that stand for surrogates inside.
SOME = [c for c in range(0x110000) if c not in BLOCK and (c < 0x600 or c % 101 == 0 or c < 0x12000 and c % 7 == 0)]


def check(name, f):
    crc = 0
    for code in SOME:
        crc = zlib.crc32(ascii(f(chr(code))).encode(), crc)
    print(name, crc)


for name in "category", "bidirectional", "combining", "mirrored", "east_asian_width", "decomposition":
    check(name, getattr(u, name))
for name in "decimal", "digit", "numeric", "name":
    check(name, lambda c, f=getattr(u, name): f(c, None))
for name in "category", "decomposition", "bidirectional":
    check("3.2 " + name, getattr(u.ucd_3_2_0, name))
check("3.2 numeric", lambda c: u.ucd_3_2_0.numeric(c, None))
for form in "NFC", "NFD", "NFKC", "NFKD":
    check(form, lambda c: u.normalize(form, c))
for name in ("isalpha", "isalnum", "isdigit", "isdecimal", "isnumeric", "isprintable", "isspace", "isupper", "islower", "istitle",
             "isidentifier", "upper", "lower", "title", "casefold", "swapcase", "capitalize"):
    check(name, getattr(str, name))

print(u.unidata_version, u.ucd_3_2_0.unidata_version, u.name("é"), u.lookup("GREEK SMALL LETTER ALPHA"), u.numeric("½"), u.digit("²"))
print(u.name("한"), u.name("漢"), u.normalize("NFC", "e\u0301"), u.is_normalized("NFC", "é"), u.is_normalized("NFD", "é"))
print(repr("ΑΣ ΣΑΣ. Σ"), "ΑΣ ΣΑΣ. Σ".lower(), "ΑΣ".title(), "Straße".casefold(), "ǆ".title(), "ŉ".upper(), "हिन्दी".isalpha(), "²".isdigit())


def attempt(f, *args):
    try:
        print(f(*args))
    except Exception as e:
        print(type(e).__name__, e)


attempt(u.decimal, "x")
attempt(u.digit, "x")
attempt(u.numeric, "x")
attempt(u.name, "\x00")
attempt(u.lookup, "NO SUCH")
attempt(u.category, "ab")
attempt(u.category, 3)
attempt(u.normalize, "NFX", "a")
print(u.category("\ud800"), u.name("\ud800", "none"), "\N{BULLET}", "bücher.example".encode("idna"), b"xn--bcher-kva".decode("idna"))
print("bücher ☃".encode("punycode"), b"bcher -kva0873b".decode("punycode", "replace"))
for name in "faß", "ＦＯＯ", "a..b", "\u0378", "x" * 64:
    attempt(name.encode, "idna")

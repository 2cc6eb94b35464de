# re: matching, replacing, errors.
import re
def show(f, *a, **k):
    try:
        print(repr(f(*a, **k)))
    except Exception as e:
        print(type(e).__name__, e)
for p, s in [(r"\d+", "ab12cd345"), (r"^a.c$", "abc\n"), (r"(a)(b)?", "ac"), (r"(?P<y>\d{4})-(?P<m>\d\d)", "on 2024-05!"), (r"a|b|c", "xxc"), (r"[^\W\d_]+", "12héllo_"), (r"\bfoo\b", "a foo b"), (r"(?i)ABC", "xabcx"), (r"(?<=a)b", "ab"), (r"(?<!a)b", "ab bb"), (r"a(?=b)", "ab"), (r"a(?!b)", "abac"), (r"(\w)\1", "hello"), (r"(?P<q>['\"]).*?(?P=q)", "say 'hi' \"x\""), (r"a{2,3}", "aaaa"), (r"a{,2}b", "aab"), (r"x{2}", "xxx"), (r"a{", "a{"), (r"[]a]+", "]a]"), (r"[a\]b]+", "a]b"), (r"[\w.-]+@[\w.-]+", "me@x.org"), (r"\.", "a.b"), (r"$", "ab\n"), (r"\Z", "ab\n"), (r"(?s)a.b", "a\nb"), (r"(?m)^b$", "a\nb\nc"), (r"(?x) a  b # comment", "ab"), (r"\x41\u00e9\t", "Aé\t"), (r"(?:ab)+", "ababx"), (r"(a|ab)(c|bcd)", "abcd"), (r"", "x"), (r"é+", "caféé"), (r"[a-zA-Z0-9_]+?x", "abxx"), (r"(a)?(?(1)b|c)", "ab"), (r"\s+", "a \t\nb"), (r"[&&]", "&"), (r"a--b", "a--b"), (r"[~~a]", "~"), (r"(?>a+)b", "aab"), (r"a++b", "aab")]:
    m = re.search(p, s)
    print(p, "->", m and (m.group(), m.span(), m.groups(), m.groupdict(), m.lastindex, m.lastgroup))
print(re.match("b", "ab"), re.match("a", "ab"), re.fullmatch("a+", "aab"), re.fullmatch("a|ab", "ab"))
print(re.findall(r"\d", "a1b2"), re.findall(r"(\w)(\d)", "a1b2"), re.findall(r"(\w)\d", "a1b2"), re.findall("x*", "axb"), [m.span() for m in re.finditer("a", "banana")])
print(re.sub(r"\d", "#", "a1b22"), re.sub(r"(\w)(\d)", r"\2\1", "a1b2"), re.sub("x*", "-", "abxd"), re.sub(r"(?P<n>\d)", r"<\g<n>>", "a1"), re.sub("a", lambda m: m.group().upper(), "banana"), re.sub("a", "b", "aaa", count=2), re.subn("a", "b", "aa"), re.sub("", "-", "ab"), re.sub(r"\n", r"\\n", "a\nb"), re.sub("a", r"\g<0>\t", "a"))
print(re.split(r"[,;]\s*", "a, b;c"), re.split("(,)", "a,b"), re.split(",", "a,b,c", maxsplit=1), re.split("x*", "axbc"), re.split(r"\W+", "Words, words, words."))
p = re.compile(r"(\d+)", re.I | re.M); print(p, p.pattern, p.flags, p.groups, p.groupindex, p.search("ab12", 3), p.match("12ab", 0, 1), p.findall("1 22"), p.split("a1b"), p.sub("x", "1"), re.compile(p) is p, p == re.compile(r"(\d+)", re.I | re.M))
m = re.match(r"(?P<a>x)(?P<b>y)?", "xz"); print(m["a"], m[1], m.group("a", 2), m.start("b"), m.end(), m.groups("D"), m.groupdict(), m.expand(r"\1-\g<a>"), m.string, m.re.pattern, m.pos, m.endpos, bool(m), m); show(m.group, 5); show(m.group, "zz"); show(lambda: m[3])
for bad in ["(", "a)", "[", "*a", "a**", "(?P<1>a)", "(?P<a>x)(?P<a>y)", r"\q", "(?P=zz)", "a{2,1}", r"\1", "[z-a]", "(?z)", "(?P<a", "(?<a)", "\\", "x(?i)", "(?(1)a|b)", "(?(x)a|b)"]:
    show(re.compile, bad)
show(re.sub, "a", r"\q", "a"); show(re.sub, "a", r"\2", "a"); show(re.search, "a", 5); show(re.search, "a", b"a"); show(re.search, b"a", "a"); show(re.compile, 5)
print(re.findall(rb"\d+", b"a12\xff3"), re.sub(b"a", b"b", b"xax"), re.search(rb"[\x80-\xff]", b"ab\x90").span(), re.escape("a.b*c d-é_1"), re.escape(b"a."), re.ASCII, re.findall(r"\w", "é1", re.A), re.findall(r"(?a:\w)", "é1"))
print(re.findall(r"(?i:a)B", "aB AB ab"), re.search("σ", "Σ", re.I), re.compile("a.b", re.DOTALL).match("a\nb").span(), re.search(r"^\s*#\s*(?P<t>.*)$", "  # Title  ", re.M)["t"])
text = "The quick brown fox"; print([w for w in re.split(r"\s", text)], re.sub(r"(\w+) (\w+)", r"\2 \1", text), {m.group().lower(): m.start() for m in re.finditer(r"\w+", text)})
print(re.match(r"(\d+)\.?(\d*)", "3.14").groups(), re.sub(r"([a-z])([A-Z])", r"\1_\2", "camelCaseString").lower(), re.findall(r"[A-Z]{2,}(?=[A-Z][a-z]|\b)|[A-Z]?[a-z]+", "HTTPServerError"), re.sub(r"(.)\1+", r"\1", "aabbccd"), re.purge())
try: re.compile("(a\n(b")
except re.error as e: print(e, e.pos, e.lineno, e.colno, e.msg)

# String methods.
s = "  Hello, World  "
print(repr(s.strip()), repr(s.lstrip()), repr(s.rstrip()), s.strip(" dH"))
t = "Hello, World"
print(t.upper(), t.lower(), t.swapcase(), t.title(), "hello world".capitalize(), "ß".upper(), "ÄÖ".casefold())
print(t.find("o"), t.rfind("o"), t.find("z"), t.index("W"), t.count("l"), t.startswith("He"), t.endswith(("x", "ld")))
print(t.replace("l", "L"), t.replace("l", "L", 2), t.split(", "), "a b  c".split(), "a,b,,c".split(","), "a,b,c".rsplit(",", 1))
print("one\ntwo\r\nthree".splitlines(), "k=v=w".partition("="), "k=v=w".rpartition("="), "-".join(["a", "b"]))
print("abc".center(9, "*"), "abc".ljust(6) + "|", "abc".rjust(6), "42".zfill(5), "-42".zfill(5), "a\tb".expandtabs(4))
print("abc".isalpha(), "a1".isalnum(), "12".isdigit(), "".isdigit(), "aB".islower(), " \t".isspace(), "Title Case".istitle(), "x_1".isidentifier())
print("abc" < "abd", "a" * 3, "ab" in "cabd", "x" not in "abc", len("héllo"), "héllo"[1], ord("é"), chr(8364))
print("prefix-body".removeprefix("prefix-"), "body.py".removesuffix(".py"), "abc".translate({97: "A", 98: None}))
print("%05.1f|%-5s|%+d|%s" % (3.14159, "ab", 5, [1, "x"]), "%(k)s" % {"k": "v"})
print("{:>8}|{:<8}|{:^8}|{:*^7}|{!r}".format("r", "l", "c", "m", "q"), "{0}{1}{0}".format("a", "b"))
print(repr("quote ' and \" both"), repr("tab\tnl\n\\"), repr("\x00\x7f"), repr("é€😀"), ascii("é€"))
print("abc".encode(), "é".encode("utf-8"), b"\xc3\xa9".decode(), bytes([65, 66]), b"ab" + b"c", b"abc"[0])
print("a-b_c".replace("-", "_").split("_"), "".join(reversed("abc")), "abcabc".index("c", 3), "x".join("abc"))
print(str(1.0), str(1e16), str(1e-5), str(123456789.123), repr(0.1 + 0.2), str(1e300 * 10), float("nan") != float("nan"))
print("multi" "ple " 'literals', r"raw\n", "\u00e9\x41\101\N{BULLET}", """triple "quoted" 'text'""")
print(max("hello"), sorted("banana"), list(enumerate("ab", 1)), "a,b;c".replace(";", ",").split(","), "Abc".join(["1"]))
try:
    "abc".index("z")
except ValueError as e:
    print(e)
try:
    "a" + 1
except TypeError as e:
    print(e)

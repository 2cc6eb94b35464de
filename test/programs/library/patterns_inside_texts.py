import re
# Patterns whose matches depend on what stands before, matched at a place inside of the text.
text = "ab cd\nef  gh" * 3
for pattern in (r"(?<=a)b", r"(?<!a)b", r"\bcd", r"\Bd", r"^ef", r"(?m)^ef", r"(?=e)ef", r"\Aab", r"(?<=\n)e(?!x)", r"(\w)\1?", r"(?<=ab )c", r".*?(?=h)", r"(?:b|$)"):
    p = re.compile(pattern)
    print(pattern, [p.match(text, i).span() for i in range(len(text)) if p.match(text, i)],
          [p.fullmatch(text, i, i + 2).span() for i in range(len(text)) if p.fullmatch(text, i, i + 2)],
          [m.span() for m in p.finditer(text, 3, 20)])
def lex(text, rules):
    rules = [(re.compile(p), n) for p, n in rules]
    at, out = 0, 0
    while at < len(text):
        for p, n in rules:
            m = p.match(text, at)
            if m:
                at = m.end(); out += 1
                break
        else: raise SystemExit(at)
    return out
rules = [(r"\s+", "s"), (r"(?<![\w])\d+(?!\w)", "n"), (r"[a-z]+(?=\()", "f"), (r"\b[a-z]+\b", "w"), (r"'(?:''|\\.|[^'])*'", "q"), (r".", "o")]

print(lex("select foo(12, bar), 'x''y' from t where a=3 " * 2000, rules))

# A hard pattern that does not match at the place is given up there, however long the text is.
long = "x" * 200_000
never = re.compile(r"(?<=y)x|(?=z)x|(x)(?!x)")
print(sum(never.match(long, at) is not None for at in range(0, 20_000)))

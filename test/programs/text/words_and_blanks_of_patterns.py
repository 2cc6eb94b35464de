# What is a word and what is blank in patterns: letters and numbers of any script but no marks, separators of files too.
import re

texts = ["हिन्दी भाषा", "e\u0301a x\u0345y", "²½Ⅷ_\u200da٣", "ab1\u0301c", "a\x1cb\x1fc\x85d\xa0e\u2028f\u200bg", "naïve Ωmega 中文 Straße", "_\u203f_"]
for text in texts:
    print([re.findall(p, text) for p in (r"\w+", r"\W", r"[\w]", r"[^\W\d]+", r"[\W_]", r"\s", r"\S+", r"[\s,]", r"[^\s]+", r"\d")])
    print([re.findall(p, text, re.A) for p in (r"\w+", r"\W", r"\s", r"[^\W\d]+")], re.split(r"\W+", text), re.split(r"\s", text), re.sub(r"\w(?=\W)", "-", text))
    print([bool(re.fullmatch(r"\w", c)) == (c.isalnum() or c == "_") for c in text].count(False), [bool(re.fullmatch(r"\s", c)) == c.isspace() for c in text].count(False))
print(re.findall(r"(?i)\bστ\w+", "ΣΤΟΝ στον"), re.match(r"(\w+)\s+\1", "да да").groups(), complex("1+2j"), complex(" (3-j) "))
for wrong in ("1 +2j", "1+ 2j", "1+2 j", "( 1+2j", "1 j"):
    try:
        print(complex(wrong))
    except ValueError as e:
        print(e)

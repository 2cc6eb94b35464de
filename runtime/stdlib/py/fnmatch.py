"""Shell patterns."""

import re

__all__ = ["filter", "fnmatch", "fnmatchcase", "translate"]


def translate(pat):
    out = ""
    i, n = 0, len(pat)
    while i < n:
        c = pat[i]
        i += 1
        if c == "*":
            if not out.endswith(".*"):
                out += ".*"
        elif c == "?":
            out += "."
        elif c == "[":
            j = i
            if j < n and pat[j] == "!":
                j += 1
            if j < n and pat[j] == "]":
                j += 1
            while j < n and pat[j] != "]":
                j += 1
            if j >= n:
                out += "\\["
            else:
                stuff = pat[i:j].replace("\\", r"\\").replace("[", r"\[")
                i = j + 1
                if stuff[0] == "!":
                    stuff = "^" + stuff[1:]
                elif stuff[0] == "^":
                    stuff = "\\" + stuff
                out += f"[{stuff}]"
        else:
            out += re.escape(c)
    return rf"(?s:{out})\Z"


def fnmatchcase(name, pat):
    return re.match(translate(pat), name) is not None


def fnmatch(name, pat):
    return fnmatchcase(name, pat)


def filter(names, pat):
    match = re.compile(translate(pat)).match
    return [name for name in names if match(name)]

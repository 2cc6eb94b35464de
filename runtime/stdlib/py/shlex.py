"""Shell words."""


from _refused import refused

def split(s, comments=False, posix=True):
    if not posix:
        raise refused("shlex.split", "posix")
    words = []
    current = None
    i = 0
    while i < len(s):
        c = s[i]
        if c.isspace():
            if current is not None:
                words.append(current)
                current = None
        elif comments and c == "#" and current is None:
            end = s.find("\n", i)
            i = len(s) if end < 0 else end
        elif c == "'" or c == '"':
            current = current or ""
            i += 1
            while i < len(s) and s[i] != c:
                if c == '"' and s[i] == "\\" and i + 1 < len(s) and s[i + 1] in '"\\':
                    i += 1
                current += s[i]
                i += 1
            if i >= len(s):
                raise ValueError("No closing quotation")
        elif c == "\\":
            i += 1
            if i >= len(s):
                raise ValueError("No escaped character")
            current = (current or "") + s[i]
        else:
            current = (current or "") + c
        i += 1
    if current is not None:
        words.append(current)
    return words


def quote(s):
    if not s:
        return "''"
    if all(c.isascii() and c.isalnum() or c in "@%+=:,./-_" for c in s):
        return s
    return "'" + s.replace("'", "'\"'\"'") + "'"


def join(split_command):
    return " ".join(map(quote, split_command))

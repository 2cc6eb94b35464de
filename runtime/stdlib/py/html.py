"""Escaping for HTML."""

_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'", "nbsp": "\xa0"}


def escape(s, quote=True):
    s = s.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return s.replace('"', "&quot;").replace("'", "&#x27;") if quote else s


def unescape(s):
    import re

    def replace(match):
        body = match.group(1)
        if body.startswith("#"):
            return chr(int(body[2:], 16) if body[1] in "xX" else int(body[1:]))
        return _NAMED.get(body, match.group())

    return re.sub(r"&(#[0-9]+|#[xX][0-9a-fA-F]+|[a-zA-Z]+);?", replace, s)

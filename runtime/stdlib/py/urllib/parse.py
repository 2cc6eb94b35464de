"""URLs taken apart and put together."""

from _refused import refused
from collections import namedtuple

_SAFE = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-~")


class _Location:
    @property
    def _host(self):
        return self.netloc.rpartition("@")[2]

    @property
    def hostname(self):
        host = self._host
        host = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
        return host.lower() or None

    @property
    def port(self):
        port = self._host.rpartition("]")[2].partition(":")[2]
        return int(port) if port else None

    @property
    def username(self):
        info, at, _ = self.netloc.rpartition("@")
        return info.partition(":")[0] if at else None

    @property
    def password(self):
        info, at, _ = self.netloc.rpartition("@")
        name, colon, password = info.partition(":")
        return password if at and colon else None


class SplitResult(_Location, namedtuple("SplitResult", "scheme netloc path query fragment")):
    __slots__ = ()

    def geturl(self):
        return urlunsplit(self)


class ParseResult(_Location, namedtuple("ParseResult", "scheme netloc path params query fragment")):
    __slots__ = ()

    def geturl(self):
        return urlunparse(self)


def urlsplit(url, scheme="", allow_fragments=True):
    netloc = query = fragment = ""
    head, colon, rest = url.partition(":")
    if colon and head and head[0].isalpha() and all(c.isalnum() or c in "+-." for c in head):
        scheme, url = head.lower(), rest
    if url.startswith("//"):
        end = min((i for i in (url.find(c, 2) for c in "/?#") if i >= 0), default=len(url))
        netloc, url = url[2:end], url[end:]
    if allow_fragments and "#" in url:
        url, fragment = url.split("#", 1)
    if "?" in url:
        url, query = url.split("?", 1)
    return SplitResult(scheme, netloc, url, query, fragment)


def urlparse(url, scheme="", allow_fragments=True):
    scheme, netloc, path, query, fragment = urlsplit(url, scheme, allow_fragments)
    params = ""
    slash = path.rfind("/")
    at = path.find(";", slash + 1)
    if at >= 0:
        path, params = path[:at], path[at + 1:]
    return ParseResult(scheme, netloc, path, params, query, fragment)


def urlunsplit(components):
    scheme, netloc, url, query, fragment = components
    if netloc:
        url = "//" + netloc + ("/" + url if url and not url.startswith("/") else url)
    if scheme:
        url = scheme + ":" + url
    return url + ("?" + query if query else "") + ("#" + fragment if fragment else "")


def urlunparse(components):
    scheme, netloc, url, params, query, fragment = components
    return urlunsplit((scheme, netloc, f"{url};{params}" if params else url, query, fragment))


def urljoin(base, url, allow_fragments=True):
    if not allow_fragments:
        raise refused("urllib.parse.urljoin", "allow_fragments")
    if not base or not url:
        return url or base
    b, u = urlsplit(base), urlsplit(url)
    if u.scheme and u.scheme != b.scheme:
        return url
    if u.netloc:
        return urlunsplit((b.scheme, u.netloc, u.path, u.query, u.fragment))
    if not u.path:
        return urlunsplit((b.scheme, b.netloc, b.path, u.query or b.query, u.fragment))
    path = u.path if u.path.startswith("/") else b.path[:b.path.rfind("/") + 1] + u.path
    parts = []
    for part in path.split("/"):
        if part == "..":
            if len(parts) > 1:
                parts.pop()
        elif part != ".":
            parts.append(part)
    if path.endswith(("/.", "/..")):
        parts.append("")
    return urlunsplit((b.scheme, b.netloc, "/".join(parts), u.query, u.fragment))


def quote(string, safe="/", encoding=None, errors=None):
    data = string.encode(encoding or "utf-8", errors or "strict") if isinstance(string, str) else bytes(string)
    keep = _SAFE | frozenset(safe.encode() if isinstance(safe, str) else safe)
    return "".join(chr(b) if b in keep else f"%{b:02X}" for b in data)


def quote_plus(string, safe="", encoding=None, errors=None):
    if isinstance(string, str) and " " in string or isinstance(string, bytes) and b" " in string:
        space = " " if isinstance(safe, str) else b" "
        return quote(string, safe + space, encoding, errors).replace(" ", "+")
    return quote(string, safe, encoding, errors)


def unquote_to_bytes(string):
    data = string.encode() if isinstance(string, str) else bytes(string)
    parts = data.split(b"%")
    out = [parts[0]]
    for part in parts[1:]:
        try:
            out.append(bytes([int(part[:2].decode("ascii"), 16)]) + part[2:])
        except ValueError:
            out.append(b"%" + part)
    return b"".join(out)


def unquote(string, encoding="utf-8", errors="replace"):
    return unquote_to_bytes(string).decode(encoding, errors)


def unquote_plus(string, encoding="utf-8", errors="replace"):
    return unquote(string.replace("+", " "), encoding, errors)


def urlencode(query, doseq=False, safe="", encoding=None, errors=None, quote_via=quote_plus):
    pairs = []
    for key, value in query.items() if hasattr(query, "items") else query:
        values = value if doseq and isinstance(value, (list, tuple)) else [value]
        for item in values:
            shown = [v if isinstance(v, (str, bytes)) else str(v) for v in (key, item)]
            pairs.append("=".join(quote_via(v, safe, encoding, errors) for v in shown))
    return "&".join(pairs)


def parse_qsl(qs, keep_blank_values=False, strict_parsing=False, encoding="utf-8", errors="replace",
              max_num_fields=None, separator="&"):
    if strict_parsing:
        raise refused("urllib.parse.parse_qsl", "strict_parsing")
    if encoding != "utf-8":
        raise refused("urllib.parse.parse_qsl", "encoding")
    if errors != "replace":
        raise refused("urllib.parse.parse_qsl", "errors")
    if max_num_fields is not None:
        raise refused("urllib.parse.parse_qsl", "max_num_fields")
    pairs = []
    for part in qs.split(separator):
        if part:
            name, _, value = part.partition("=")
            if value or keep_blank_values:
                pairs.append((unquote_plus(name), unquote_plus(value)))
    return pairs


def parse_qs(qs, keep_blank_values=False, *args, **kwargs):
    result = {}
    for name, value in parse_qsl(qs, keep_blank_values, *args, **kwargs):
        result.setdefault(name, []).append(value)
    return result

"""Reading of `file:` URLs; there is no network."""

from urllib.error import HTTPError, URLError
from urllib.parse import quote, unquote, urlsplit


class Request:
    def __init__(self, url, data=None, headers={}, origin_req_host=None, unverifiable=False, method=None):
        self.full_url, self.data, self.headers = url, data, dict(headers)

    def add_header(self, key, val):
        self.headers[key.capitalize()] = val


def urlopen(url, data=None, timeout=None, **kwargs):
    target = url.full_url if isinstance(url, Request) else url
    parts = urlsplit(target)
    if parts.scheme == "file":
        return open(unquote(parts.path), "rb")
    raise URLError(f"no network access: {target}")


def urlretrieve(url, filename=None, reporthook=None, data=None):
    import shutil
    if filename is None:
        import tempfile
        filename = tempfile.mktemp()
    with urlopen(url) as source, open(filename, "wb") as target:
        shutil.copyfileobj(source, target)
    return filename, {}


def pathname2url(pathname):
    return quote(pathname)


def url2pathname(pathname):
    return unquote(pathname)


def build_opener(*handlers):
    class Opener:
        addheaders = []

        def open(self, url, data=None, timeout=None):
            return urlopen(url, data)

    return Opener()


def install_opener(opener):
    pass


def getproxies():
    return {}

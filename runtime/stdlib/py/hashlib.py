"""Message digests; the algorithms are native."""

from _digests import names as _names, new as _new

algorithms_guaranteed = algorithms_available = set(_names)


def new(name, data=b"", *, usedforsecurity=True):
    return _new(name, data)


def _constructor(name):
    def make(string=b"", *, usedforsecurity=True):
        return _new(name, string)

    make.__name__ = make.__qualname__ = "openssl_" + name
    return make


md5, sha1, sha224, sha256, sha384, sha512 = map(_constructor, _names[:6])
sha3_224, sha3_256, sha3_384, sha3_512 = map(_constructor, _names[6:])


def file_digest(fileobj, digest, /):
    made = new(digest) if isinstance(digest, str) else digest()
    while True:
        chunk = fileobj.read(1 << 18)
        if not chunk:
            return made
        made.update(chunk)

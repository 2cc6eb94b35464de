"""Message digests; the algorithms are native."""

from _digests import blake2b as _blake2b, blake2s as _blake2s, names as _names, new as _new

algorithms_guaranteed = algorithms_available = {*_names, "blake2b", "blake2s"}


def new(name, data=b"", *, usedforsecurity=True, **kwargs):
    if name in ("blake2b", "blake2s"):
        return globals()[name](data, **kwargs)
    if kwargs:
        raise TypeError(f"new() got an unexpected keyword argument {next(iter(kwargs))!r}")
    return _new(name, data)


def _constructor(name):
    def make(string=b"", *, usedforsecurity=True):
        return _new(name, string)

    make.__name__ = make.__qualname__ = "openssl_" + name
    return make


(md5, sha1, sha224, sha256, sha384, sha512, sha3_224, sha3_256, sha3_384, sha3_512, shake_128,
 shake_256) = map(_constructor, _names)


def blake2b(data=b"", /, *, digest_size=64, key=b"", salt=b"", person=b"", fanout=1, depth=1, leaf_size=0,
            node_offset=0, node_depth=0, inner_size=0, last_node=False, usedforsecurity=True):
    return _blake2b(data, digest_size, key, salt, person, fanout, depth, leaf_size, node_offset, node_depth,
                    inner_size, last_node)


def blake2s(data=b"", /, *, digest_size=32, key=b"", salt=b"", person=b"", fanout=1, depth=1, leaf_size=0,
            node_offset=0, node_depth=0, inner_size=0, last_node=False, usedforsecurity=True):
    return _blake2s(data, digest_size, key, salt, person, fanout, depth, leaf_size, node_offset, node_depth,
                    inner_size, last_node)


blake2b.MAX_DIGEST_SIZE, blake2b.MAX_KEY_SIZE, blake2b.SALT_SIZE, blake2b.PERSON_SIZE = 64, 64, 16, 16
blake2s.MAX_DIGEST_SIZE, blake2s.MAX_KEY_SIZE, blake2s.SALT_SIZE, blake2s.PERSON_SIZE = 32, 32, 8, 8


def file_digest(fileobj, digest, /):
    made = new(digest) if isinstance(digest, str) else digest()
    while True:
        chunk = fileobj.read(1 << 18)
        if not chunk:
            return made
        made.update(chunk)

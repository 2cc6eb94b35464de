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


def pbkdf2_hmac(hash_name, password, salt, iterations, dklen=None):
    """A key made of a password (PKCS 5), by HMAC."""
    if not isinstance(hash_name, str):
        raise TypeError(f"pbkdf2_hmac() argument 'hash_name' must be str, not {type(hash_name).__name__}")
    inner, outer = new(hash_name), new(hash_name)
    password = bytes(password)
    if len(password) > inner.block_size:
        password = new(hash_name, password).digest()
    password += b"\0" * (inner.block_size - len(password))
    inner.update(bytes(byte ^ 0x36 for byte in password))
    outer.update(bytes(byte ^ 0x5C for byte in password))

    def hmac(message):
        first, second = inner.copy(), outer.copy()
        first.update(message)
        second.update(first.digest())
        return second.digest()

    if iterations < 1:
        raise ValueError("iteration value must be greater than 0.")
    dklen = inner.digest_size if dklen is None else dklen
    if dklen < 1:
        raise ValueError("key length must be greater than 0.")
    key, block = b"", 1
    while len(key) < dklen:
        last = hmac(bytes(salt) + block.to_bytes(4, "big"))
        mixed = int.from_bytes(last, "big")
        for _ in range(iterations - 1):
            last = hmac(last)
            mixed ^= int.from_bytes(last, "big")
        key += mixed.to_bytes(inner.digest_size, "big")
        block += 1
    return key[:dklen]

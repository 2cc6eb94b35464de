"""Universally unique identifiers."""

from _refused import refused
import os


class UUID:
    __slots__ = ("int",)

    def __init__(self, hex=None, bytes=None, bytes_le=None, fields=None, int=None, version=None):
        if bytes_le is not None:
            raise refused("uuid.UUID", "bytes_le")
        if fields is not None:
            raise refused("uuid.UUID", "fields")
        if hex is not None:
            hex = hex.replace("urn:", "").replace("uuid:", "").strip("{}").replace("-", "")
            if len(hex) != 32:
                raise ValueError("badly formed hexadecimal UUID string")
            int = _int(hex, 16)
        elif bytes is not None:
            if len(bytes) != 16:
                raise ValueError("bytes is not a 16-char string")
            int = _int.from_bytes(bytes, "big")
        if int is None:
            raise TypeError("one of the hex, bytes, bytes_le, fields, or int arguments must be given")
        if not 0 <= int < 1 << 128:
            raise ValueError("int is out of range (need a 128-bit value)")
        if version is not None:
            int = int & ~(0xC000 << 48) | 0x8000 << 48
            int = int & ~(0xF000 << 64) | version << 76
        object.__setattr__(self, "int", int)

    def __setattr__(self, name, value):
        raise TypeError("UUID objects are immutable")

    @property
    def hex(self):
        return "%032x" % self.int

    @property
    def bytes(self):
        return self.int.to_bytes(16, "big")

    @property
    def version(self):
        return self.int >> 76 & 0xF if self.int >> 62 & 3 == 2 else None

    def __str__(self):
        h = self.hex
        return f"{h[:8]}-{h[8:12]}-{h[12:16]}-{h[16:20]}-{h[20:]}"

    def __repr__(self):
        return f"{self.__class__.__name__}({str(self)!r})"

    def __eq__(self, other):
        return self.int == other.int if isinstance(other, UUID) else NotImplemented

    def __lt__(self, other):
        return self.int < other.int if isinstance(other, UUID) else NotImplemented

    def __hash__(self):
        return hash(self.int)

    def __int__(self):
        return self.int


_int = int


def uuid4():
    return UUID(bytes=os.urandom(16), version=4)


def uuid1(node=None, clock_seq=None):
    if clock_seq is not None:
        raise refused("uuid.uuid1", "clock_seq")
    import time
    ticks = time.time_ns() // 100 + 0x01B21DD213814000
    sequence = int.from_bytes(os.urandom(2), "big") & 0x3FFF
    value = (ticks & 0xFFFFFFFF) << 96 | (ticks >> 32 & 0xFFFF) << 80 | (ticks >> 48 & 0xFFF) << 64
    return UUID(int=value | sequence << 48 | (getnode() if node is None else node), version=1)


def getnode():
    return int.from_bytes(os.urandom(6), "big") | 1 << 40


def _named(namespace, name, algorithm, version):
    import hashlib
    data = namespace.bytes + (name.encode() if isinstance(name, str) else name)
    return UUID(bytes=hashlib.new(algorithm, data).digest()[:16], version=version)


def uuid3(namespace, name):
    return _named(namespace, name, "md5", 3)


def uuid5(namespace, name):
    return _named(namespace, name, "sha1", 5)


NAMESPACE_DNS = UUID("6ba7b810-9dad-11d1-80b4-00c04fd430c8")
NAMESPACE_URL = UUID("6ba7b811-9dad-11d1-80b4-00c04fd430c8")
NAMESPACE_OID = UUID("6ba7b812-9dad-11d1-80b4-00c04fd430c8")
NAMESPACE_X500 = UUID("6ba7b814-9dad-11d1-80b4-00c04fd430c8")

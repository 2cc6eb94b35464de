"""Tar archives, plain and gzipped."""

from _refused import refused
import io
import os
import struct

__all__ = ["TarFile", "TarInfo", "is_tarfile", "TarError", "ReadError", "open"]

REGTYPE, AREGTYPE, LNKTYPE, SYMTYPE, DIRTYPE = b"0", b"\0", b"1", b"2", b"5"
_open = open


class TarError(Exception):
    pass


class ReadError(TarError):
    pass


def _number(field):
    if field[:1] in (b"\x80", b"\xff"):
        return int.from_bytes(field[1:], "big")
    text = field.split(b"\0")[0].strip()
    return int(text, 8) if text else 0


def _text(field):
    return field.split(b"\0")[0].decode("utf-8", "replace")


class TarInfo:
    def __init__(self, name=""):
        self.name, self.size, self.mtime, self.mode = name, 0, 0, 0o644
        self.type, self.linkname = REGTYPE, ""
        self.uid = self.gid = 0
        self.uname = self.gname = ""
        self.offset_data = 0

    path = property(lambda self: self.name)

    def isfile(self):
        return self.type in (REGTYPE, AREGTYPE)

    isreg = isfile

    def isdir(self):
        return self.type == DIRTYPE

    def issym(self):
        return self.type == SYMTYPE

    def islnk(self):
        return self.type == LNKTYPE

    def __repr__(self):
        return f"<TarInfo {self.name!r} at {id(self):#x}>"

    def _header(self):
        name = self.name + ("/" if self.isdir() and not self.name.endswith("/") else "")
        encoded, prefix = name.encode(), b""
        if len(encoded) > 100:
            at = encoded.rfind(b"/", 0, 156)
            prefix, encoded = encoded[:at], encoded[at + 1:]
            if at < 0 or len(encoded) > 100:
                raise ValueError("name is too long")
        head = struct.pack("100s8s8s8s12s12s8s1s100s8s32s32s8s8s155s12x", encoded, b"%07o\0" % (self.mode & 0o7777),
                           b"%07o\0" % self.uid, b"%07o\0" % self.gid, b"%011o\0" % self.size,
                           b"%011o\0" % int(self.mtime), b" " * 8, self.type, self.linkname.encode(), b"ustar\x0000",
                           self.uname.encode(), self.gname.encode(), b"%07o\0" % 0, b"%07o\0" % 0, prefix)
        return head[:148] + b"%06o\0 " % sum(head) + head[156:]


class TarFile:
    def __init__(self, name=None, mode="r", fileobj=None, **kwargs):
        if kwargs:
            raise refused("tarfile.TarFile", "kwargs")
        kind, _, packing = mode.partition(":" if ":" in mode else "|")
        self.name, self.mode = name, kind or "r"
        self._packing = packing
        self._owned = fileobj is None
        self._file = fileobj if fileobj is not None else _open(name, {"r": "rb", "w": "wb", "x": "xb"}[self.mode])
        self.members = []
        self._out = []
        if self.mode == "r":
            self._read()

    @classmethod
    def open(cls, name=None, mode="r", fileobj=None, bufsize=10240, **kwargs):
        if kwargs:
            raise refused("tarfile.TarFile.open", "kwargs")
        return cls(name, mode, fileobj)

    def _read(self):
        data = self._file.read()
        if data[:2] == b"\x1f\x8b":
            import gzip
            data = gzip.decompress(data)
        elif data[:3] in (b"BZh", b"\xfd7z"):
            raise ReadError("bzip2 and lzma archives are not supported")
        self._data = data
        if len(data) < 512:
            raise ReadError("file could not be opened successfully" if data else "empty file")
        at = 0
        long_name = long_link = None
        extended = {}
        while at + 512 <= len(data):
            head = data[at:at + 512]
            if head == bytes(512):
                break
            check = sum(head[:148]) + 256 + sum(head[156:])
            if check != _number(head[148:156]):
                raise ReadError("file could not be opened successfully" if at == 0 else "bad checksum")
            info = TarInfo(_text(head[:100]))
            info.mode, info.size, info.mtime = _number(head[100:108]), _number(head[124:136]), _number(head[136:148])
            info.uid, info.gid = _number(head[108:116]), _number(head[116:124])
            info.type, info.linkname = head[156:157], _text(head[157:257])
            if head[257:262] == b"ustar":
                info.uname, info.gname = _text(head[265:297]), _text(head[297:329])
                prefix = _text(head[345:500])
                if prefix and info.type not in (b"L", b"K"):
                    info.name = f"{prefix}/{info.name}"
            info.offset_data = at + 512
            body = data[at + 512:at + 512 + info.size]
            at += 512 + -(-info.size // 512) * 512
            if info.type == b"L":
                long_name = _text(body)
                continue
            if info.type == b"K":
                long_link = _text(body)
                continue
            if info.type in (b"x", b"g"):
                while body:
                    length = int(body.split(b" ", 1)[0])
                    key, _, value = body[:length - 1].split(b" ", 1)[1].partition(b"=")
                    extended[key.decode()] = value.decode()
                    body = body[length:]
                continue
            info.name = extended.get("path", long_name or info.name).rstrip("/")
            info.linkname = extended.get("linkpath", long_link or info.linkname)
            if "mtime" in extended:
                info.mtime = float(extended["mtime"])
            long_name = long_link = None
            extended = {}
            if info.type == AREGTYPE and info.name.endswith("/"):
                info.type = DIRTYPE
            self.members.append(info)

    def getmembers(self):
        return self.members

    def getnames(self):
        return [info.name for info in self.members]

    def getmember(self, name):
        for info in reversed(self.members):
            if info.name == name.rstrip("/"):
                return info
        raise KeyError(f"filename {name!r} not found")

    def __iter__(self):
        return iter(self.members)

    def next(self):
        self._next = getattr(self, "_next", -1) + 1
        return self.members[self._next] if self._next < len(self.members) else None

    def extractfile(self, member):
        info = self.getmember(member) if isinstance(member, str) else member
        if info.islnk() or info.issym():
            return self.extractfile(self.getmember(info.linkname))
        if not info.isfile():
            return None
        return io.BytesIO(self._data[info.offset_data:info.offset_data + info.size])

    def extract(self, member, path="", set_attrs=True, *, numeric_owner=False, filter=None):
        info = self.getmember(member) if isinstance(member, str) else member
        parts = [p for p in info.name.split("/") if p not in ("", ".")]
        if ".." in parts or info.name.startswith("/"):
            raise TarError(f"{info.name!r} would be extracted outside of the destination")
        target = os.path.join(os.fspath(path), *parts)
        if info.isdir():
            os.makedirs(target, exist_ok=True)
            return
        if os.path.dirname(target):
            os.makedirs(os.path.dirname(target), exist_ok=True)
        if info.issym():
            os.symlink(info.linkname, target)
            return
        source = self.extractfile(info)
        if source is not None:
            with _open(target, "wb") as file:
                file.write(source.read())
            if set_attrs:
                os.chmod(target, info.mode & 0o777 or 0o644)

    def extractall(self, path=".", members=None, *, numeric_owner=False, filter=None):
        for info in self.members if members is None else members:
            self.extract(info, path)

    def addfile(self, tarinfo, fileobj=None):
        data = fileobj.read(tarinfo.size) if fileobj is not None else b""
        self._out.append(tarinfo._header() + data + bytes(-len(data) % 512))
        self.members.append(tarinfo)

    def gettarinfo(self, name=None, arcname=None, fileobj=None):
        if fileobj is not None:
            raise refused("tarfile.TarFile.gettarinfo", "fileobj")
        stat = os.stat(name)
        info = TarInfo(os.fspath(name if arcname is None else arcname).lstrip("/"))
        info.mode, info.mtime, info.uid, info.gid = stat.st_mode & 0o7777, stat.st_mtime, stat.st_uid, stat.st_gid
        if os.path.isdir(name):
            info.type = DIRTYPE
        else:
            info.size = stat.st_size
        return info

    def add(self, name, arcname=None, recursive=True, *, filter=None):
        info = self.gettarinfo(name, arcname)
        if filter is not None:
            info = filter(info)
            if info is None:
                return
        if info.isdir():
            self.addfile(info)
            if recursive:
                for entry in sorted(os.listdir(name)):
                    self.add(os.path.join(name, entry), os.path.join(info.name, entry), filter=filter)
        else:
            with _open(name, "rb") as file:
                self.addfile(info, file)

    def close(self):
        if self._file is None:
            return
        if self.mode != "r":
            data = b"".join(self._out) + bytes(1024)
            data += bytes(-len(data) % 10240)
            if self._packing == "gz":
                import gzip
                data = gzip.compress(data)
            elif self._packing:
                raise TarError(f"{self._packing} is not supported")
            self._file.write(data)
        if self._owned:
            self._file.close()
        self._file = None

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()


open = TarFile.open


def is_tarfile(name):
    try:
        open(name).close()
        return True
    except (TarError, OSError):
        return False

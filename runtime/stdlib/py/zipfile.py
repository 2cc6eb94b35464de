"""Zip archives."""

from _refused import refused
import io
import os
import struct
import time
import zlib

__all__ = ["BadZipFile", "ZIP_STORED", "ZIP_DEFLATED", "is_zipfile", "ZipInfo", "ZipFile", "LargeZipFile"]

ZIP_STORED, ZIP_DEFLATED, ZIP_BZIP2, ZIP_LZMA = 0, 8, 12, 14


class BadZipFile(Exception):
    pass


class LargeZipFile(Exception):
    pass


BadZipfile = error = BadZipFile


class ZipInfo:
    def __init__(self, filename="NoName", date_time=(1980, 1, 1, 0, 0, 0)):
        self.filename, self.date_time = filename, date_time
        self.compress_type = ZIP_STORED
        self.comment = self.extra = b""
        self.external_attr = 0
        self.header_offset = self.CRC = self.compress_size = self.file_size = self.flag_bits = 0

    def is_dir(self):
        return self.filename.endswith("/")

    def __repr__(self):
        return f"<ZipInfo filename={self.filename!r} file_size={self.file_size}>"


def is_zipfile(filename):
    try:
        with ZipFile(filename):
            return True
    except (OSError, BadZipFile):
        return False


class _Writer(io.BytesIO):
    def __new__(cls, *args):
        return io.BytesIO.__new__(cls)

    def __init__(self, archive, info):
        super().__init__()
        self._archive, self._info = archive, info

    def close(self):
        if not self.closed:
            self._archive.writestr(self._info, self.getvalue())
            super().close()

    def __exit__(self, *exc):
        self.close()


class ZipFile:
    def __init__(self, file, mode="r", compression=ZIP_STORED, allowZip64=True, compresslevel=None, *,
                 strict_timestamps=True, metadata_encoding=None):
        if metadata_encoding is not None:
            raise refused("zipfile.ZipFile", "metadata_encoding")
        if mode not in ("r", "w", "x", "a"):
            raise ValueError("ZipFile requires mode 'r', 'w', 'x', or 'a'")
        self.mode, self.compression, self.compresslevel = mode, compression, compresslevel
        self.filelist = []
        self.NameToInfo = {}
        self.comment = b""
        self._owned = isinstance(file, (str, os.PathLike))
        self._start = 0
        if self._owned:
            self.filename = os.fspath(file)
            modes = {"r": "rb", "w": "w+b", "x": "x+b", "a": "r+b" if os.path.exists(file) else "w+b"}
            self.fp = open(file, modes[mode])
        else:
            self.fp, self.filename = file, getattr(file, "name", None)
        try:
            if mode == "r":
                self._read_directory()
            elif mode == "a":
                self.fp.seek(0, 2)
                if self.fp.tell():
                    self._read_directory()
                    self.fp.seek(self._start)
        except BaseException:
            if self._owned:
                self.fp.close()
            raise

    def _read_directory(self):
        fp = self.fp
        fp.seek(0, 2)
        size = fp.tell()
        tail_size = min(size, 65557)
        fp.seek(size - tail_size)
        tail = fp.read(tail_size)
        at = tail.rfind(b"PK\x05\x06")
        if at < 0 or len(tail) < at + 22:
            raise BadZipFile("File is not a zip file")
        count, length, offset, comment = struct.unpack_from("<HIIH", tail, at + 10)
        self.comment = tail[at + 22:at + 22 + comment]
        end = size - tail_size + at
        if at >= 20 and tail[at - 20:at - 16] == b"PK\x06\x07":
            # Large archives, and some that are not, have another record in front of it.
            where = tail.rfind(b"PK\x06\x06", 0, at)
            if where >= 0 and len(tail) >= where + 56:
                count, length, offset = struct.unpack_from("<QQQ", tail, where + 32)
                end = size - tail_size + where
        shift = end - length - offset
        self._start = offset + shift
        if self._start < 0:
            raise BadZipFile("Bad offset for central directory")
        fp.seek(self._start)
        data = fp.read(length)
        at = 0
        while at < length:
            if len(data) < at + 46:
                raise BadZipFile("Truncated central directory")
            if data[at:at + 4] != b"PK\x01\x02":
                raise BadZipFile("Bad magic number for central directory")
            (flags, method, mtime, mdate, crc, packed, full, names, extras, comments, external, header) = \
                struct.unpack_from("<HHHHIIIHHH4xII", data, at + 8)
            name = data[at + 46:at + 46 + names].decode("utf-8", "replace")
            info = ZipInfo(name, ((mdate >> 9) + 1980, mdate >> 5 & 15, mdate & 31, mtime >> 11, mtime >> 5 & 63,
                                  (mtime & 31) * 2))
            info.extra = data[at + 46 + names:at + 46 + names + extras]
            full, packed, header = self._large(info.extra, full, packed, header)
            info.flag_bits, info.compress_type, info.CRC = flags, method, crc
            info.compress_size, info.file_size = packed, full
            info.external_attr, info.header_offset = external, header + shift
            self.filelist.append(info)
            self.NameToInfo[name] = info
            at += 46 + names + extras + comments

    @staticmethod
    def _large(extra, *numbers):
        """Numbers that did not fit into 32 bits stand in an extra field, in order."""
        at = 0
        while at + 4 <= len(extra):
            kind, size = struct.unpack_from("<HH", extra, at)
            if kind == 1:
                size = min(size, len(extra) - at - 4)
                values = list(struct.unpack_from(f"<{size // 8}Q", extra, at + 4))
                if len(values) < sum(n == 0xFFFFFFFF for n in numbers):
                    raise BadZipFile("Corrupt zip64 extra field.")
                return tuple([values.pop(0) if n == 0xFFFFFFFF else n for n in numbers])
            at += 4 + size
        return numbers

    def namelist(self):
        return [info.filename for info in self.filelist]

    def infolist(self):
        return self.filelist

    def getinfo(self, name):
        info = self.NameToInfo.get(name)
        if info is None:
            raise KeyError(f"There is no item named {name!r} in the archive")
        return info

    def read(self, name, pwd=None):
        if pwd is not None:
            raise refused("zipfile.ZipFile.read", "pwd")
        info = name if isinstance(name, ZipInfo) else self.getinfo(name)
        if self.fp is None:
            raise ValueError("Attempt to use ZIP archive that was already closed")
        self.fp.seek(info.header_offset)
        header = self.fp.read(30)
        if len(header) < 30:
            raise BadZipFile("Truncated file header")
        if header[:4] != b"PK\x03\x04":
            raise BadZipFile("Bad magic number for file header")
        names, extras = struct.unpack_from("<HH", header, 26)
        inside = self.fp.read(names)
        if inside.decode("utf-8", "replace") != info.filename:
            raise BadZipFile(f"File name in directory {info.filename!r} and header {inside!r} differ.")
        if info.flag_bits & 1:
            raise RuntimeError(f"File {info!r} is encrypted, password required for extraction")
        self.fp.seek(info.header_offset + 30 + names + extras)
        size = info.file_size if info.compress_type == ZIP_STORED else info.compress_size
        data = self.fp.read(size)
        if len(data) < size:
            raise EOFError
        if info.compress_type == ZIP_DEFLATED:
            data = zlib.decompress(data, -15)
        elif info.compress_type != ZIP_STORED:
            raise NotImplementedError("That compression method is not supported")
        if len(data) != info.file_size or zlib.crc32(data) != info.CRC:
            raise BadZipFile(f"Bad CRC-32 for file {info.filename!r}")
        return data

    def open(self, name, mode="r", pwd=None, *, force_zip64=False):
        if pwd is not None:
            raise refused("zipfile.ZipFile.open", "pwd")
        if mode == "w":
            return _Writer(self, name)
        return io.BytesIO(self.read(name))

    def testzip(self):
        for info in self.filelist:
            try:
                self.read(info)
            except BadZipFile:
                return info.filename
        return None

    def extract(self, member, path=None, pwd=None):
        if pwd is not None:
            raise refused("zipfile.ZipFile.extract", "pwd")
        info = member if isinstance(member, ZipInfo) else self.getinfo(member)
        parts = [p for p in info.filename.split("/") if p not in ("", ".", "..")]
        target = os.path.join(os.getcwd() if path is None else os.fspath(path), *parts)
        if info.is_dir():
            os.makedirs(target, exist_ok=True)
            return target
        if os.path.dirname(target):
            os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as file:
            file.write(self.read(info))
        return target

    def extractall(self, path=None, members=None, pwd=None):
        if pwd is not None:
            raise refused("zipfile.ZipFile.extractall", "pwd")
        for member in self.namelist() if members is None else members:
            self.extract(member, path)

    def writestr(self, zinfo_or_arcname, data, compress_type=None, compresslevel=None):
        if self.mode == "r":
            raise ValueError("write() requires mode 'w', 'x', or 'a'")
        if isinstance(data, str):
            data = data.encode()
        if isinstance(zinfo_or_arcname, ZipInfo):
            info = zinfo_or_arcname
        else:
            info = ZipInfo(zinfo_or_arcname, time.localtime()[:6])
            info.compress_type = self.compression
            info.external_attr = 0o600 << 16
        if compress_type is not None:
            info.compress_type = compress_type
        info.file_size, info.CRC = len(data), zlib.crc32(data)
        if info.compress_type == ZIP_DEFLATED:
            level = compresslevel if compresslevel is not None else self.compresslevel
            data = zlib.compress(data, -1 if level is None else level, -15)
        info.compress_size = len(data)
        info.header_offset = self.fp.tell()
        info.flag_bits = 0 if info.filename.isascii() else 0x800
        self.fp.write(b"PK\x03\x04" + self._fields(info) + struct.pack("<HH", len(info.filename.encode()), 0)
                      + info.filename.encode() + data)
        self.filelist.append(info)
        self.NameToInfo[info.filename] = info

    @staticmethod
    def _fields(info):
        year, month, day, hour, minute, second = info.date_time
        return struct.pack("<HHHHHIII", 20, info.flag_bits, info.compress_type, hour << 11 | minute << 5 | second // 2,
                           (year - 1980) << 9 | month << 5 | day, info.CRC, info.compress_size, info.file_size)

    def write(self, filename, arcname=None, compress_type=None, compresslevel=None):
        arcname = os.fspath(filename if arcname is None else arcname).lstrip("/")
        stat = os.stat(filename)
        is_dir = os.path.isdir(filename)
        info = ZipInfo(arcname + "/" if is_dir and not arcname.endswith("/") else arcname,
                       tuple(time.localtime(stat.st_mtime)[:6]))
        info.compress_type = self.compression if compress_type is None else compress_type
        info.external_attr = (stat.st_mode & 0xFFFF) << 16
        data = b""
        if not is_dir:
            with open(filename, "rb") as file:
                data = file.read()
        self.writestr(info, data, compress_type, compresslevel)

    def mkdir(self, name, mode=0o777):
        if mode != 0o777:
            raise refused("zipfile.ZipFile.mkdir", "mode")
        self.writestr(ZipInfo(name.rstrip("/") + "/"), b"")

    def printdir(self, file=None):
        print("%-46s %19s %12s" % ("File Name", "Modified    ", "Size"), file=file)
        for info in self.filelist:
            date = "%d-%02d-%02d %02d:%02d:%02d" % info.date_time
            print("%-46s %s %12d" % (info.filename, date, info.file_size), file=file)

    def close(self):
        if self.fp is None:
            return
        if self.mode != "r":
            start = self.fp.tell()
            for info in self.filelist:
                name = info.filename.encode()
                self.fp.write(b"PK\x01\x02\x14\x03" + self._fields(info)
                              + struct.pack("<HHHHHII", len(name), 0, 0, 0, 0, info.external_attr, info.header_offset)
                              + name)
            size = self.fp.tell() - start
            count = len(self.filelist)
            self.fp.write(b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, count, count, size, start, len(self.comment))
                          + self.comment)
            self.fp.flush()
        if self._owned:
            self.fp.close()
        self.fp = None

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

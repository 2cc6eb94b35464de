"""CPython's zip archives, with what 3.11 has besides: `metadata_encoding` and `mkdir`."""

import _pyzipfile
from _pyzipfile import *
from _pyzipfile import __all__


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_pyzipfile, name)


class ZipFile(_pyzipfile.ZipFile):
    def __init__(self, file, mode="r", compression=ZIP_STORED, allowZip64=True, compresslevel=None, *,
                 strict_timestamps=True, metadata_encoding=None):
        self.metadata_encoding = metadata_encoding
        if metadata_encoding and mode != "r":
            raise ValueError("metadata_encoding is only supported for reading files")
        super().__init__(file, mode, compression, allowZip64, compresslevel, strict_timestamps=strict_timestamps)

    def _RealGetContents(self):
        super()._RealGetContents()
        if not self.metadata_encoding:
            return
        self.NameToInfo.clear()
        for info in self.filelist:
            if not info.flag_bits & 0x800:
                name = info.orig_filename.encode("cp437").decode(self.metadata_encoding)
                info.filename = name.split("\0", 1)[0]
            self.NameToInfo[info.filename] = info

    def mkdir(self, zinfo_or_directory, mode=511):
        """A folder in the archive."""
        if isinstance(zinfo_or_directory, ZipInfo):
            info = zinfo_or_directory
            if not info.is_dir():
                raise ValueError("The given ZipInfo does not describe a directory")
        elif isinstance(zinfo_or_directory, str):
            info = ZipInfo(zinfo_or_directory.rstrip("/") + "/")
            info.compress_size = info.CRC = info.file_size = 0
            info.external_attr = (0o40000 | mode) << 16 | 0x10
        else:
            raise TypeError("Expected type str or ZipInfo")
        self.writestr(info, b"")


if __name__ == "__main__":
    _pyzipfile.main()

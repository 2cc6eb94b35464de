"""Paths as objects."""

from _refused import refused
import io
import os
import posixpath

__all__ = ["PurePath", "PurePosixPath", "PureWindowsPath", "Path", "PosixPath", "WindowsPath"]


def __getattr__(name):
    if name in ("PureWindowsPath", "WindowsPath"):
        import _windows_paths

        return getattr(_windows_paths, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class _Parents:
    def __init__(self, path):
        self._path = path
        self._count = len(path._parts) - (1 if path._root else 0)

    def __len__(self):
        return self._count

    def __getitem__(self, index):
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(index)
        parts = self._path._parts
        return self._path._from_parts(parts[:len(parts) - index - 1])

    def __repr__(self):
        return f"<{type(self._path).__name__}.parents>"


class PurePath:
    def __new__(cls, *args, **kwargs):
        if cls is PurePath:
            cls = PurePosixPath
        elif cls is Path:
            cls = PosixPath
        return object.__new__(cls)

    def __init__(self, *args):
        pieces = []
        for arg in args:
            if isinstance(arg, PurePath):
                pieces.append(arg._text())
            else:
                arg = os.fspath(arg)
                if not isinstance(arg, str):
                    raise TypeError("argument should be a str object or an os.PathLike object returning str, "
                                    f"not {type(arg)!r}")
                pieces.append(arg)
        self._set(posixpath.join(*pieces) if pieces else "")

    def _set(self, text):
        root = ""
        if text.startswith("/"):
            root = "//" if text.startswith("//") and not text.startswith("///") else "/"
        parts = [part for part in text.split("/") if part and part != "."]
        self._root = root
        self._parts = [root] + parts if root else parts

    def _from_parts(self, parts):
        made = object.__new__(type(self))
        made._root = parts[0] if parts and parts[0].startswith("/") else ""
        made._parts = list(parts)
        return made

    def __reduce__(self):
        return self.__class__, tuple(self._parts)

    def __str__(self):
        if self._root:
            return self._root + "/".join(self._parts[1:])
        return "/".join(self._parts) or "."

    def _text(self):
        """What another path's constructor reads."""
        return str(self)

    def __fspath__(self):
        return str(self)

    def __bytes__(self):
        return os.fsencode(str(self))

    def __repr__(self):
        return f"{self.__class__.__name__}({self.as_posix()!r})"

    def as_posix(self):
        return str(self)

    def as_uri(self):
        if not self.is_absolute():
            raise ValueError("relative path can't be expressed as a file URI")
        from urllib.parse import quote
        return "file://" + quote(str(self))

    def __hash__(self):
        return hash(tuple(self._parts))

    def __eq__(self, other):
        if not isinstance(other, PurePath) or other._flavour is not self._flavour:
            return NotImplemented
        return self._parts == other._parts

    def __lt__(self, other):
        if not isinstance(other, PurePath) or other._flavour is not self._flavour:
            return NotImplemented
        return self._parts < other._parts

    def __le__(self, other):
        if not isinstance(other, PurePath) or other._flavour is not self._flavour:
            return NotImplemented
        return self._parts <= other._parts

    def __gt__(self, other):
        if not isinstance(other, PurePath) or other._flavour is not self._flavour:
            return NotImplemented
        return self._parts > other._parts

    def __ge__(self, other):
        if not isinstance(other, PurePath) or other._flavour is not self._flavour:
            return NotImplemented
        return self._parts >= other._parts

    drive = ""
    _flavour = posixpath

    @property
    def root(self):
        return self._root

    @property
    def anchor(self):
        return self._root

    @property
    def parts(self):
        return tuple(self._parts)

    @property
    def parent(self):
        parts = self._parts
        if not parts or len(parts) == 1 and self._root:
            return self
        return self._from_parts(parts[:-1])

    @property
    def parents(self):
        return _Parents(self)

    @property
    def name(self):
        parts = self._parts
        if not parts or len(parts) == 1 and self._root:
            return ""
        return parts[-1]

    @property
    def suffix(self):
        name = self.name
        i = name.rfind(".")
        return name[i:] if 0 < i < len(name) - 1 else ""

    @property
    def suffixes(self):
        name = self.name
        if name.endswith("."):
            return []
        return ["." + suffix for suffix in name.lstrip(".").split(".")[1:]]

    @property
    def stem(self):
        name = self.name
        i = name.rfind(".")
        return name[:i] if 0 < i < len(name) - 1 else name

    def with_name(self, name):
        if not self.name:
            raise ValueError(f"{self!r} has an empty name")
        if not name or "/" in name or name == ".":
            raise ValueError(f"Invalid name {name!r}")
        return self._from_parts(self._parts[:-1] + [name])

    def with_stem(self, stem):
        return self.with_name(stem + self.suffix)

    def with_suffix(self, suffix):
        if "/" in suffix or suffix and not suffix.startswith(".") or suffix == ".":
            raise ValueError(f"Invalid suffix {suffix!r}")
        name = self.name
        if not name:
            raise ValueError(f"{self!r} has an empty name")
        old = self.suffix
        return self._from_parts(self._parts[:-1] + [(name[:-len(old)] if old else name) + suffix])

    def joinpath(self, *args):
        return type(self)(self, *args)

    def __truediv__(self, key):
        try:
            return type(self)(self, key)
        except TypeError:
            return NotImplemented

    def __rtruediv__(self, key):
        try:
            return type(self)(key, self)
        except TypeError:
            return NotImplemented

    def is_absolute(self):
        return bool(self._root)

    def is_reserved(self):
        return False

    def relative_to(self, *other):
        other = type(self)(*other)
        count = len(other._parts)
        if self._parts[:count] != other._parts:
            raise ValueError(f"{str(self)!r} is not in the subpath of {str(other)!r} OR one path is relative "
                             "and the other is absolute.")
        return self._from_parts(self._parts[count:])

    def is_relative_to(self, *other):
        other = type(self)(*other)
        return self._parts[:len(other._parts)] == other._parts

    def match(self, path_pattern):
        import fnmatch
        pattern = type(self)(path_pattern)
        if not pattern._parts:
            raise ValueError("empty pattern")
        if pattern._root:
            if len(pattern._parts) != len(self._parts):
                return False
        elif len(pattern._parts) > len(self._parts):
            return False
        return all(fnmatch.fnmatchcase(part, pat)
                   for part, pat in zip(reversed(self._parts), reversed(pattern._parts)))


class PurePosixPath(PurePath):
    pass


class Path(PurePath):
    @classmethod
    def cwd(cls):
        return cls(os.getcwd())

    @classmethod
    def home(cls):
        return cls("~").expanduser()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        pass

    def stat(self, *, follow_symlinks=True):
        return os.stat(str(self)) if follow_symlinks else os.lstat(str(self))

    def lstat(self):
        return os.lstat(str(self))

    def exists(self):
        return os.path.exists(str(self))

    def is_dir(self):
        return os.path.isdir(str(self))

    def is_file(self):
        return os.path.isfile(str(self))

    def is_symlink(self):
        return os.path.islink(str(self))

    def is_mount(self):
        return os.path.ismount(str(self))

    def samefile(self, other_path):
        return os.path.samefile(str(self), other_path)

    def open(self, mode="r", buffering=-1, encoding=None, errors=None, newline=None):
        return io.open(str(self), mode, buffering, encoding, errors, newline)

    def read_text(self, encoding=None, errors=None):
        with self.open("r", encoding=encoding, errors=errors) as file:
            return file.read()

    def read_bytes(self):
        with self.open("rb") as file:
            return file.read()

    def write_text(self, data, encoding=None, errors=None, newline=None):
        if not isinstance(data, str):
            raise TypeError(f"data must be str, not {data.__class__.__name__}")
        with self.open("w", encoding=encoding, errors=errors, newline=newline) as file:
            return file.write(data)

    def write_bytes(self, data):
        with self.open("wb") as file:
            return file.write(data)

    def iterdir(self):
        for name in os.listdir(str(self)):
            yield self._from_parts(self._parts + [name])

    def _glob(self, pattern):
        import glob
        if not pattern:
            raise ValueError(f"Unacceptable pattern: {pattern!r}")
        if pattern.startswith("/"):
            raise NotImplementedError("Non-relative patterns are unsupported")
        dirs_only = pattern.endswith("**")
        seen = set()
        for found in glob.glob(pattern, root_dir=str(self), recursive=True, include_hidden=True):
            path = self / found
            if str(path) in seen or dirs_only and not path.is_dir():
                continue
            seen.add(str(path))
            yield path

    def glob(self, pattern):
        return self._glob(pattern)

    def rglob(self, pattern):
        return self._glob("**/" + pattern)

    def walk(self, top_down=True, on_error=None, follow_symlinks=False):
        for top, dirs, files in os.walk(str(self), top_down, on_error, follow_symlinks):
            yield type(self)(top), dirs, files

    def mkdir(self, mode=0o777, parents=False, exist_ok=False):
        try:
            os.mkdir(str(self), mode)
        except FileNotFoundError:
            if not parents or self.parent == self:
                raise
            self.parent.mkdir(parents=True, exist_ok=True)
            self.mkdir(mode, parents=False, exist_ok=exist_ok)
        except OSError:
            if not exist_ok or not self.is_dir():
                raise

    def rmdir(self):
        os.rmdir(str(self))

    def unlink(self, missing_ok=False):
        try:
            os.unlink(str(self))
        except FileNotFoundError:
            if not missing_ok:
                raise

    def touch(self, mode=0o666, exist_ok=True):
        if mode != 0o666:
            raise refused("pathlib.Path.touch", "mode")
        if self.exists():
            if not exist_ok:
                raise FileExistsError(17, "File exists", str(self))
            return
        self.open("a").close()

    def rename(self, target):
        os.rename(str(self), target)
        return type(self)(target)

    def replace(self, target):
        os.replace(str(self), target)
        return type(self)(target)

    def chmod(self, mode, *, follow_symlinks=True):
        if not follow_symlinks:
            raise refused("pathlib.Path.chmod", "follow_symlinks")
        os.chmod(str(self), mode)

    def symlink_to(self, target, target_is_directory=False):
        os.symlink(target, str(self))

    def readlink(self):
        return type(self)(os.readlink(str(self)))

    def resolve(self, strict=False):
        return type(self)(os.path.realpath(str(self), strict=strict))

    def absolute(self):
        if self.is_absolute():
            return self
        return type(self)(os.getcwd(), self)

    def expanduser(self):
        if not self._root and self._parts and self._parts[0].startswith("~"):
            return type(self)(os.path.expanduser(str(self)))
        return self

    def owner(self):
        import pwd
        return pwd.getpwuid(self.stat().st_uid).pw_name

    def group(self):
        import grp
        return grp.getgrgid(self.stat().st_gid).gr_name


class PosixPath(Path, PurePosixPath):
    pass

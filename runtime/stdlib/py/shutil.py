"""File operations on a higher level than `os`."""

from _refused import refused
import collections
import os


__all__ = ["copyfileobj", "copyfile", "copymode", "copystat", "copy", "copy2", "copytree", "move", "rmtree",
           "Error", "SameFileError", "disk_usage", "which", "get_terminal_size", "ignore_patterns"]

# Archives are CPython's, in `_pyshutil`.
_ARCHIVES = ["make_archive", "get_archive_formats", "register_archive_format", "unregister_archive_format",
             "unpack_archive", "get_unpack_formats", "register_unpack_format", "unregister_unpack_format", "chown"]
__all__ += _ARCHIVES


def __getattr__(name):
    import _pyshutil
    try:
        return getattr(_pyshutil, name)
    except AttributeError:
        raise AttributeError(f"module 'shutil' has no attribute '{name}'") from None


class Error(OSError):
    pass


class SameFileError(Error):
    pass


def copyfileobj(fsrc, fdst, length=0):
    while True:
        chunk = fsrc.read(length or 65536)
        if not chunk:
            return
        fdst.write(chunk)


def copyfile(src, dst, *, follow_symlinks=True):
    if not follow_symlinks:
        raise refused("shutil.copyfile", "follow_symlinks")
    if os.path.exists(dst) and os.path.exists(src) and os.path.samefile(src, dst):
        raise SameFileError(f"{src!r} and {dst!r} are the same file")
    with open(src, "rb") as fsrc, open(dst, "wb") as fdst:
        copyfileobj(fsrc, fdst)
    return dst


def copymode(src, dst, *, follow_symlinks=True):
    if not follow_symlinks:
        raise refused("shutil.copymode", "follow_symlinks")
    os.chmod(dst, os.stat(src).st_mode & 0o7777)


copystat = copymode


def copy(src, dst, *, follow_symlinks=True):
    if not follow_symlinks:
        raise refused("shutil.copy", "follow_symlinks")
    if os.path.isdir(dst):
        dst = os.path.join(dst, os.path.basename(src))
    copyfile(src, dst)
    copymode(src, dst)
    return dst


copy2 = copy


def ignore_patterns(*patterns):
    def ignore(path, names):
        import fnmatch
        return {name for pattern in patterns for name in fnmatch.filter(names, pattern)}

    return ignore


def copytree(src, dst, symlinks=False, ignore=None, copy_function=copy2, ignore_dangling_symlinks=False,
             dirs_exist_ok=False):
    names = os.listdir(src)
    ignored = ignore(os.fspath(src), names) if ignore is not None else ()
    os.makedirs(dst, exist_ok=dirs_exist_ok)
    for name in names:
        if name in ignored:
            continue
        source, target = os.path.join(src, name), os.path.join(dst, name)
        if os.path.islink(source) and symlinks:
            os.symlink(os.readlink(source), target)
        elif os.path.isdir(source):
            copytree(source, target, symlinks, ignore, copy_function, ignore_dangling_symlinks, dirs_exist_ok)
        else:
            copy_function(source, target)
    return dst


def rmtree(path, ignore_errors=False, onerror=None, *, dir_fd=None):
    if dir_fd is not None:
        raise refused("shutil.rmtree", "dir_fd")
    import sys

    def failed(function, name):
        if onerror is not None:
            onerror(function, name, sys.exc_info())
        elif not ignore_errors:
            raise

    try:
        if os.path.islink(path):
            raise OSError("Cannot call rmtree on a symbolic link")
        entries = list(os.scandir(path))
    except OSError:
        failed(os.scandir, path)
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            rmtree(entry.path, ignore_errors, onerror)
        else:
            try:
                os.unlink(entry.path)
            except OSError:
                failed(os.unlink, entry.path)
    try:
        os.rmdir(path)
    except OSError:
        failed(os.rmdir, path)


def move(src, dst, copy_function=copy2):
    target = dst
    if os.path.isdir(dst):
        target = os.path.join(dst, os.path.basename(os.fspath(src).rstrip("/")))
        if os.path.exists(target):
            raise Error(f"Destination path '{target}' already exists")
    try:
        os.rename(src, target)
    except OSError:
        if os.path.isdir(src):
            copytree(src, target, copy_function=copy_function, symlinks=True)
            rmtree(src)
        else:
            copy_function(src, target)
            os.unlink(src)
    return target


_Usage = collections.namedtuple("usage", "total used free")


def disk_usage(path):
    found = os.statvfs(path)
    size = found.f_frsize
    used = (found.f_blocks - found.f_bfree) * size
    return _Usage(found.f_blocks * size, used, found.f_bavail * size)


def which(cmd, mode=1, path=None):
    if mode != 1:
        raise refused("shutil.which", "mode")
    if os.path.dirname(cmd):
        return cmd if os.access(cmd, os.X_OK) and os.path.isfile(cmd) else None
    for directory in (os.environ.get("PATH", os.defpath) if path is None else path).split(os.pathsep):
        name = os.path.join(directory, cmd)
        if os.path.isfile(name) and os.access(name, os.X_OK):
            return name
    return None


def get_terminal_size(fallback=(80, 24)):
    size = []
    for variable, default in zip(("COLUMNS", "LINES"), fallback):
        try:
            value = int(os.environ[variable])
        except (KeyError, ValueError):
            value = 0
        size.append(value if value > 0 else default)
    return os.terminal_size(size)

"""Operating system interfaces."""

from _refused import refused
import posixpath as path
import sys
from posix import (_exit, affinity as _affinity, access, chdir, chmod as _chmod, close, closerange, cpu_count, dup, dup2,
                   environ as _environ, fork as _fork, fspath, fsync, ftruncate, get_blocking, get_inheritable, getcwd, getgid, getpgid,
                   getpgrp, getpid, getppid, getsid, getuid, isatty, kill, killpg, link, listdir, lseek, lstat,
                   mkdir as _mkdir, open, pipe, pipe2, read, readlink, remove, rename, replace, rmdir, scan as _scan,
                   set_blocking, set_inheritable, setpgid, setsid, stat, statvfs, stat_result, strerror,
                   symlink as _symlink, sysconf as _sysconf, umask, uname, unlink, urandom, wait, waitpid, write)
from posixpath import altsep, curdir, defpath, devnull, extsep, pardir, pathsep, sep

sys.modules["os.path"] = path

name = "posix"
linesep = "\n"
F_OK, R_OK, W_OK, X_OK = 0, 4, 2, 1
O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND = 0, 1, 2, 64, 128, 512, 1024
O_NOCTTY, O_NONBLOCK, O_SYNC, O_DIRECTORY, O_NOFOLLOW, O_CLOEXEC = 256, 2048, 1052672, 65536, 131072, 524288
WNOHANG, WUNTRACED, WCONTINUED = 1, 2, 8
SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2
EX_OK = 0
error = OSError
geteuid, getegid = getuid, getgid
supports_follow_symlinks = set()


class PathLike:
    """Anything with `__fspath__`."""

    @classmethod
    def __subclasshook__(cls, subclass):
        return hasattr(subclass, "__fspath__")

    def __class_getitem__(cls, item):
        return cls


class _PathLikeMeta(type):
    def __instancecheck__(cls, instance):
        return hasattr(type(instance), "__fspath__")

    def __subclasscheck__(cls, subclass):
        return hasattr(subclass, "__fspath__")


PathLike = _PathLikeMeta("PathLike", (), dict(PathLike.__dict__))


class _Environ(dict):
    """The environment. Children get what it holds when they are started."""

    def __setitem__(self, key, value):
        if not isinstance(key, str) or not isinstance(value, str):
            wrong = key if not isinstance(key, str) else value
            raise TypeError(f"str expected, not {type(wrong).__name__}")
        super().__setitem__(key, value)

    def __repr__(self):
        items = ", ".join(f"{key!r}: {value!r}" for key, value in self.items())
        return f"environ({{{items}}})"

    def setdefault(self, key, value=None):
        if key not in self:
            self[key] = value
        return self[key]

    def update(self, *args, **kwargs):
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def copy(self):
        return dict(self)


environ = _Environ(_environ())


def fstat(fd):
    if not isinstance(fd, int):
        raise TypeError(f"an integer is required (got type {type(fd).__name__})")
    try:
        return stat(fd)
    except FileNotFoundError:
        raise OSError(9, strerror(9)) from None


def getenv(key, default=None):
    return environ.get(key, default)


def putenv(key, value):
    environ[key] = value


def unsetenv(key):
    environ.pop(key, None)


def getenvb(key, default=None):
    value = environ.get(fsdecode(key))
    return default if value is None else fsencode(value)


def fsencode(filename):
    filename = fspath(filename)
    return filename.encode("utf-8", "surrogateescape") if isinstance(filename, str) else filename


def fsdecode(filename):
    filename = fspath(filename)
    return filename.decode("utf-8", "surrogateescape") if isinstance(filename, bytes) else filename


def mkdir(path, mode=0o777, *, dir_fd=None):
    if dir_fd is not None:
        raise refused("os.mkdir", "dir_fd")
    _mkdir(path, mode)


def makedirs(name, mode=0o777, exist_ok=False):
    head, tail = path.split(name)
    if not tail:
        head, tail = path.split(head)
    if head and tail and not path.exists(head):
        try:
            makedirs(head, exist_ok=exist_ok)
        except FileExistsError:
            pass
        if tail == curdir:
            return
    try:
        _mkdir(name, mode)
    except OSError:
        if not exist_ok or not path.isdir(name):
            raise


def removedirs(name):
    rmdir(name)
    head, tail = path.split(name)
    if not tail:
        head, tail = path.split(head)
    while head and tail:
        try:
            rmdir(head)
        except OSError:
            break
        head, tail = path.split(head)


def renames(old, new):
    head, tail = path.split(new)
    if head and tail and not path.exists(head):
        makedirs(head)
    rename(old, new)


def chmod(path, mode, *, dir_fd=None, follow_symlinks=True):
    if dir_fd is not None:
        raise refused("os.chmod", "dir_fd")
    if not follow_symlinks:
        raise refused("os.chmod", "follow_symlinks")
    _chmod(path, mode)


def symlink(src, dst, target_is_directory=False, *, dir_fd=None):
    if dir_fd is not None:
        raise refused("os.symlink", "dir_fd")
    _symlink(src, dst)


class DirEntry:
    def __init__(self, directory, name, is_dir, is_file, is_link):
        self.name = name
        self.path = path.join(directory, name)
        self._is_dir, self._is_file, self._is_link = is_dir, is_file, is_link

    def is_dir(self, *, follow_symlinks=True):
        return self._is_dir and (follow_symlinks or not self._is_link)

    def is_file(self, *, follow_symlinks=True):
        return self._is_file and (follow_symlinks or not self._is_link)

    def is_symlink(self):
        return self._is_link

    def stat(self, *, follow_symlinks=True):
        return stat(self.path) if follow_symlinks else lstat(self.path)

    def inode(self):
        return lstat(self.path).st_ino

    def __fspath__(self):
        return self.path

    def __repr__(self):
        return f"<DirEntry {self.name!r}>"


class scandir:
    def __init__(self, path="."):
        directory = fspath(path)
        self._entries = iter([DirEntry(directory, *entry) for entry in _scan(directory)])

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._entries)

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()


def walk(top, topdown=True, onerror=None, followlinks=False):
    top = fspath(top)
    try:
        entries = list(scandir(top))
    except OSError as error:
        if onerror is not None:
            onerror(error)
        return
    dirs = [entry.name for entry in entries if entry.is_dir()]
    files = [entry.name for entry in entries if not entry.is_dir()]
    if topdown:
        yield top, dirs, files
    for name in dirs:
        inner = path.join(top, name)
        if followlinks or not path.islink(inner):
            yield from walk(inner, topdown, onerror, followlinks)
    if not topdown:
        yield top, dirs, files


def sched_getaffinity(pid):
    return set(range(_affinity()))


def fdopen(fd, mode="r", buffering=-1, encoding=None, *args, **kwargs):
    if not isinstance(fd, int):
        raise TypeError(f"invalid fd type ({type(fd)}, expected integer)")
    import io
    return io.open(fd, mode, buffering, encoding, *args, **kwargs)


def system(command):
    import subprocess
    status = subprocess.call(command, shell=True)
    return status << 8 if status >= 0 else -status



def waitstatus_to_exitcode(status):
    if WIFEXITED(status):
        return WEXITSTATUS(status)
    if WIFSIGNALED(status):
        return -WTERMSIG(status)
    if WIFSTOPPED(status):
        raise ValueError(f"process stopped by delivery of signal {WSTOPSIG(status)}")
    raise ValueError(f"invalid wait status: {status}")


def WIFEXITED(status):
    return status & 0x7F == 0


def WEXITSTATUS(status):
    return status >> 8 & 0xFF


def WIFSTOPPED(status):
    return status & 0xFF == 0x7F


def WSTOPSIG(status):
    return status >> 8 & 0xFF


def WIFCONTINUED(status):
    return status == 0xFFFF


def WIFSIGNALED(status):
    return not WIFEXITED(status) and not WIFSTOPPED(status) and not WIFCONTINUED(status)


def WTERMSIG(status):
    return status & 0x7F


def WCOREDUMP(status):
    return bool(status & 0x80)


def popen(cmd, mode="r", buffering=-1):
    if not isinstance(cmd, str):
        raise TypeError(f"invalid cmd type ({type(cmd)}, expected string)")
    if mode not in ("r", "w"):
        raise ValueError(f"invalid mode {mode!r}")
    if buffering == 0 or buffering is None:
        raise ValueError("popen() does not support unbuffered streams")
    import subprocess
    stream = {"r": "stdout", "w": "stdin"}[mode]
    process = subprocess.Popen(cmd, shell=True, text=True, bufsize=buffering, **{stream: subprocess.PIPE})
    return _ProcessFile(getattr(process, stream), process)


class _ProcessFile:
    """The stream of a process; closing it waits for the process."""

    def __init__(self, stream, process):
        self._stream = stream
        self._process = process

    def close(self):
        self._stream.close()
        code = self._process.wait()
        if code == 0:
            return None
        return code if code < 0 else code << 8

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    def __getattr__(self, name):
        return getattr(self._stream, name)

    def __iter__(self):
        return iter(self._stream)


class terminal_size(tuple):
    __slots__ = ()
    columns = property(lambda self: self[0])
    lines = property(lambda self: self[1])

    def __repr__(self):
        return f"os.terminal_size(columns={self[0]}, lines={self[1]})"


def get_terminal_size(fd=1):
    raise OSError(25, "Inappropriate ioctl for device")


def getlogin():
    return environ.get("LOGNAME") or environ.get("USER") or "root"


def getloadavg():
    import io
    with io.open("/proc/loadavg") as file:
        return tuple(map(float, file.read().split()[:3]))


def utime(path, times=None, *, ns=None):
    raise NotImplementedError("os.utime is not supported")


sysconf_names = {"SC_ARG_MAX": 0, "SC_CHILD_MAX": 1, "SC_CLK_TCK": 2, "SC_OPEN_MAX": 4, "SC_PAGESIZE": 30, "SC_PAGE_SIZE": 30,
                 "SC_IOV_MAX": 60, "SC_NPROCESSORS_CONF": 83, "SC_NPROCESSORS_ONLN": 84, "SC_PHYS_PAGES": 85,
                 "SC_AVPHYS_PAGES": 86}


def sysconf(name, /):
    if isinstance(name, str):
        if name not in sysconf_names:
            raise ValueError("unrecognized configuration name")
        name = sysconf_names[name]
    return _sysconf(name)


_at_fork = []


def register_at_fork(*, before=None, after_in_child=None, after_in_parent=None):
    if before is after_in_child is after_in_parent is None:
        raise TypeError("At least one argument is required.")
    for function in (before, after_in_child, after_in_parent):
        if function is not None and not callable(function):
            raise TypeError(f"'{type(function).__name__}' object is not callable")
    _at_fork.append((before, after_in_child, after_in_parent))


def fork():
    sys.audit("os.fork")
    for before, _, _ in reversed(_at_fork):
        if before is not None:
            before()
    pid = _fork()
    for _, in_child, in_parent in _at_fork:
        after = in_parent if pid else in_child
        if after is not None:
            after()
    return pid


def get_exec_path(env=None):
    return (env or environ).get("PATH", defpath).split(pathsep)


def _get_exports_list(module):
    try:
        return list(module.__all__)
    except AttributeError:
        return [name for name in dir(module) if name[0] != "_"]


def getcwdb():
    return fsencode(getcwd())


# Functions here go by path, not by the descriptor of a folder.
supports_dir_fd, supports_effective_ids, supports_fd = set(), set(), set()
supports_follow_symlinks = {stat}

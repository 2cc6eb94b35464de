"""Operating system interfaces."""

from _refused import refused
import abc
import posixpath as path
import sys
from _types import GenericAlias
from posix import (_exit, affinity as _affinity, become as _become, clock_ticks as _clock_ticks, fchdir, fchmod, fdatasync,
                   getgroups, getpriority, mkfifo, nice, pread, pwrite, sched_yield, set_owner as _set_owner,
                   set_times as _set_times, setpriority, sync, terminal as _terminal, truncate, access, chdir, chmod as _chmod, close, closerange, cpu_count, dup, dup2,
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
O_ACCMODE, O_NDELAY, O_DSYNC, O_ASYNC, O_DIRECT, O_LARGEFILE = 3, 2048, 4096, 8192, 16384, 0
O_NOATIME, O_RSYNC, O_FSYNC, O_PATH, O_TMPFILE = 262144, 1052672, 1052672, 2097152, 4259840
WNOHANG, WUNTRACED, WCONTINUED = 1, 2, 8
WSTOPPED, WEXITED, WNOWAIT = 2, 4, 0x1000000
PRIO_PROCESS, PRIO_PGRP, PRIO_USER = 0, 1, 2
P_WAIT, P_NOWAIT, P_NOWAITO = 0, 1, 1
SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2
EX_OK = 0
(EX_USAGE, EX_DATAERR, EX_NOINPUT, EX_NOUSER, EX_NOHOST, EX_UNAVAILABLE, EX_SOFTWARE, EX_OSERR, EX_OSFILE, EX_CANTCREAT,
 EX_IOERR, EX_TEMPFAIL, EX_PROTOCOL, EX_NOPERM, EX_CONFIG) = range(64, 79)
NGROUPS_MAX, TMP_MAX = 65536, 238328
error = OSError
geteuid, getegid = getuid, getgid
supports_follow_symlinks = set()


class PathLike(abc.ABC):
    """Anything with `__fspath__`."""

    @abc.abstractmethod
    def __fspath__(self):
        raise NotImplementedError

    @classmethod
    def __subclasshook__(cls, subclass):
        if cls is not PathLike:
            return NotImplemented
        return getattr(subclass, "__fspath__", None) is not None or NotImplemented

    __class_getitem__ = classmethod(GenericAlias)


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
supports_bytes_environ = True


class _EnvironInBytes:
    """The environment, where names and values are bytes."""

    def __getitem__(self, key):
        try:
            return fsencode(environ[self._text(key)])
        except KeyError:
            raise KeyError(key) from None

    def __setitem__(self, key, value):
        environ[self._text(key)] = self._text(value)

    def __delitem__(self, key):
        try:
            del environ[self._text(key)]
        except KeyError:
            raise KeyError(key) from None

    def __iter__(self):
        return map(fsencode, list(environ))

    def __len__(self):
        return len(environ)

    @staticmethod
    def _text(item):
        if not isinstance(item, bytes):
            raise TypeError(f"bytes expected, not {type(item).__name__}")
        return fsdecode(item)

    def __repr__(self):
        items = ", ".join(f"{key!r}: {value!r}" for key, value in self.items())
        return f"environ({{{items}}})"


def __getattr__(name):
    if name == "environb":
        from collections.abc import MutableMapping
        made = type("_EnvironInBytes", (_EnvironInBytes, MutableMapping), {})()
        return globals().setdefault(name, made)
    raise AttributeError(f"module 'os' has no attribute '{name}'")


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
    __class_getitem__ = classmethod(GenericAlias)

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

    def is_junction(self):
        # Asked for by what of the library is 3.12's; only Windows has any.
        return False

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
        directory = "." if path is None else fspath(path)
        if isinstance(directory, bytes):
            entries = [DirEntry(directory, fsencode(name), *kinds) for name, *kinds in _scan(directory)]
        else:
            entries = [DirEntry(directory, *entry) for entry in _scan(directory)]
        self._entries = iter(entries)

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
    sys.audit("os.walk", top, topdown, onerror, followlinks)
    # A stack, so that deep trees do not go deep here. A tuple on it is what has yet to be told of.
    stack = [fspath(top)]
    while stack:
        top = stack.pop()
        if isinstance(top, tuple):
            yield top
            continue
        try:
            entries = list(scandir(top))
        except OSError as error:
            if onerror is not None:
                onerror(error)
            continue
        dirs, files, inner = [], [], []
        for entry in entries:
            if entry.is_dir():
                dirs.append(entry.name)
                if not topdown and (followlinks or not entry.is_symlink()):
                    inner.append(entry.path)
            else:
                files.append(entry.name)
        if topdown:
            yield top, dirs, files
            inner = [path.join(top, name) for name in dirs]
            stack.extend(new for new in reversed(inner) if followlinks or not path.islink(new))
        else:
            stack.append((top, dirs, files))
            stack.extend(reversed(inner))


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
    return terminal_size(_terminal(fd))


def getlogin():
    return environ.get("LOGNAME") or environ.get("USER") or "root"


def getloadavg():
    import io
    with io.open("/proc/loadavg") as file:
        return tuple(map(float, file.read().split()[:3]))


def utime(path, times=None, *, ns=None, dir_fd=None, follow_symlinks=True):
    if dir_fd is not None:
        raise refused("os.utime", "dir_fd")
    if times is not None and ns is not None:
        raise ValueError("utime: you may specify either 'times' or 'ns' but not both")
    given = times if ns is None else ns
    if given is None:
        access = modification = None
    elif not isinstance(given, tuple) or len(given) != 2:
        what = "'times' must be either a tuple of two ints or None" if ns is None else "'ns' must be a tuple of two ints"
        raise TypeError(f"utime: {what}")
    elif ns is None:
        access, modification = map(_nanoseconds, times)
    else:
        access, modification = ns
    if isinstance(path, int) and not follow_symlinks:
        raise ValueError("utime: cannot use fd and follow_symlinks together")
    _set_times(path, access, modification, follow_symlinks)


def _nanoseconds(seconds):
    if isinstance(seconds, float):
        whole = seconds // 1
        return int(whole) * 10**9 + int((seconds - whole) * 1e9)
    return seconds * 10**9


def chown(path, uid, gid, *, dir_fd=None, follow_symlinks=True):
    if dir_fd is not None:
        raise refused("os.chown", "dir_fd")
    _set_owner(path, uid, gid, follow_symlinks)


def lchown(path, uid, gid):
    _set_owner(path, uid, gid, False)


def fchown(fd, uid, gid):
    _set_owner(fd, uid, gid, True)


class times_result(tuple):
    __slots__ = ()
    user, system, children_user, children_system, elapsed = (
        property(lambda self, at=at: self[at]) for at in range(5))

    def __repr__(self):
        return ("posix.times_result(user={}, system={}, children_user={}, children_system={}, "
                "elapsed={})".format(*self))


def times():
    return times_result(_clock_ticks())


def abort():
    import signal
    signal.signal(signal.SIGABRT, signal.SIG_DFL)
    kill(getpid(), signal.SIGABRT)


def ctermid():
    return "/dev/tty"


def device_encoding(fd):
    return "UTF-8" if isatty(fd) else None


def major(device, /):
    return device >> 8 & 0xFFF | device >> 32 & ~0xFFF


def minor(device, /):
    return device & 0xFF | device >> 12 & ~0xFF


def makedev(major, minor, /):
    return (major & 0xFFF) << 8 | (major & ~0xFFF) << 32 | minor & 0xFF | (minor & ~0xFF) << 12


def getrandom(size, flags=0):
    if flags:
        raise refused("os.getrandom", "flags")
    return urandom(size)


def execve(path, argv, env):
    if not isinstance(argv, (list, tuple)):
        raise TypeError("execve: argv must be a tuple or list")
    if not argv:
        raise ValueError("execve: argv must not be empty")
    if not fsencode(argv[0]):
        raise ValueError("execve: argv first element cannot be empty")
    pairs = []
    for key, value in env.items():
        key, value = fsencode(key), fsencode(value)
        if b"=" in key:
            raise ValueError("illegal environment variable name")
        pairs.append(key + b"=" + value)
    sys.audit("os.exec", path, argv, env)
    _become(path, [fsencode(arg) for arg in argv], pairs)


def execv(path, argv):
    if not isinstance(argv, (list, tuple)):
        raise TypeError("execv() arg 2 must be a tuple or list")
    if not argv:
        raise ValueError("execv() arg 2 must not be empty")
    if not fsencode(argv[0]):
        raise ValueError("execv() arg 2 first element cannot be empty")
    execve(path, argv, environ)


def execl(file, *args):
    execv(file, args)


def execle(file, *args):
    execve(file, args[:-1], args[-1])


def execlp(file, *args):
    execvp(file, args)


def execlpe(file, *args):
    execvpe(file, args[:-1], args[-1])


def execvp(file, args):
    execvpe(file, args, environ)


def execvpe(file, args, env):
    if path.dirname(file):
        return execve(file, args, env)
    failure = None
    folders = get_exec_path(env)
    if isinstance(file, bytes):
        folders = map(fsencode, folders)
    for folder in folders:
        try:
            execve(path.join(folder, file), args, env)
        except (FileNotFoundError, NotADirectoryError) as error:
            last = error
        except OSError as error:
            failure = failure or error
            last = error
    raise failure or last


def _spawn(mode, file, args, env, become):
    if not isinstance(args, (tuple, list)):
        raise TypeError("argv must be a tuple or a list")
    if not args or not args[0]:
        raise ValueError("argv first element cannot be empty")
    pid = fork()
    if not pid:
        try:
            become(file, args, environ if env is None else env)
        except BaseException:
            _exit(127)
    if mode == P_NOWAIT:
        return pid
    while True:
        _, status = waitpid(pid, 0)
        if not WIFSTOPPED(status):
            return waitstatus_to_exitcode(status)


def spawnv(mode, file, args):
    return _spawn(mode, file, args, None, execve)


def spawnve(mode, file, args, env):
    return _spawn(mode, file, args, env, execve)


def spawnvp(mode, file, args):
    return _spawn(mode, file, args, None, execvpe)


def spawnvpe(mode, file, args, env):
    return _spawn(mode, file, args, env, execvpe)


def spawnl(mode, file, *args):
    return spawnv(mode, file, args)


def spawnle(mode, file, *args):
    return spawnve(mode, file, args[:-1], args[-1])


def spawnlp(mode, file, *args):
    return spawnvp(mode, file, args)


def spawnlpe(mode, file, *args):
    return spawnvpe(mode, file, args[:-1], args[-1])


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
supports_dir_fd, supports_effective_ids, supports_fd = set(), set(), {stat, utime, chown, truncate}
supports_follow_symlinks = {stat, utime, chown}

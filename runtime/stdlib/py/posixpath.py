"""Path names: `os.path`."""

from posix import (exists, fspath as _fspath, getcwd as _getcwd, isdir, isfile, islink, lexists,
                   lstat as _lstat, readlink as _readlink, realpath as _realpath, stat as _stat)

curdir, pardir, extsep, sep, pathsep = ".", "..", ".", "/", ":"
defpath, altsep, devnull = "/bin:/usr/bin", None, "/dev/null"
supports_unicode_filenames = False


def _separators(path):
    return (b"/", b".", b"..", b"~") if isinstance(path, bytes) else ("/", ".", "..", "~")


def normcase(s):
    return _fspath(s)


def isabs(s):
    s = _fspath(s)
    return s.startswith(_separators(s)[0])


def join(a, *p):
    path = _fspath(a)
    slash = _separators(path)[0]
    for part in p:
        try:
            part = _fspath(part)
        except TypeError:
            raise TypeError("join() argument must be str, bytes, or os.PathLike object, not "
                            f"{part.__class__.__name__!r}") from None
        if isinstance(part, bytes) != isinstance(path, bytes):
            raise TypeError("Can't mix strings and bytes in path components")
        if part.startswith(slash):
            path = part
        elif not path or path.endswith(slash):
            path += part
        else:
            path += slash + part
    return path


def split(p):
    p = _fspath(p)
    slash = _separators(p)[0]
    i = p.rfind(slash) + 1
    head, tail = p[:i], p[i:]
    if head and head != slash * len(head):
        head = head.rstrip(slash)
    return head, tail


def splitext(p):
    p = _fspath(p)
    slash, dot, _, _ = _separators(p)
    base = p.rfind(slash) + 1
    at = p.rfind(dot)
    if at > base and p[base:at].strip(dot):
        return p[:at], p[at:]
    return p, p[:0]


def splitdrive(p):
    p = _fspath(p)
    return p[:0], p


def basename(p):
    p = _fspath(p)
    return p[p.rfind(_separators(p)[0]) + 1:]


def dirname(p):
    p = _fspath(p)
    slash = _separators(p)[0]
    head = p[:p.rfind(slash) + 1]
    if head and head != slash * len(head):
        head = head.rstrip(slash)
    return head


def getsize(filename):
    return _stat(filename).st_size


def getmtime(filename):
    return _stat(filename).st_mtime


def getatime(filename):
    return _stat(filename).st_atime


def getctime(filename):
    return _stat(filename).st_ctime


def samestat(s1, s2):
    return s1.st_ino == s2.st_ino and s1.st_dev == s2.st_dev


def sameopenfile(fp1, fp2):
    import os
    return samestat(os.fstat(fp1), os.fstat(fp2))


def splitroot(p):
    """Drive (there is none), root, and the rest."""
    p = _fspath(p)
    rest = p.lstrip(b"/" if isinstance(p, bytes) else "/")
    slashes = len(p) - len(rest)
    # Two slashes are a root of their own, more are one.
    at = slashes if slashes <= 2 else 1
    return p[:0], p[:at], p[at:]


def isjunction(path):
    """Whether it is a junction of Windows; what of the library is 3.12's asks."""
    _fspath(path)
    return False


def samefile(f1, f2):
    a, b = _stat(f1), _stat(f2)
    return a.st_ino == b.st_ino and a.st_dev == b.st_dev


def ismount(path):
    path = _fspath(path)
    try:
        here = _lstat(path)
        if here.st_mode & 0o170000 == 0o120000:
            return False
        above = _stat(join(path, b".." if isinstance(path, bytes) else ".."))
    except (OSError, ValueError):
        return False
    return here.st_dev != above.st_dev or here.st_ino == above.st_ino


def expanduser(path):
    path = _fspath(path)
    slash, _, _, tilde = _separators(path)
    if not path.startswith(tilde):
        return path
    end = path.find(slash, 1)
    if end < 0:
        end = len(path)
    import os
    if end == 1:
        home = os.environ.get("HOME")
        if home is None:
            import pwd
            try:
                home = pwd.getpwuid(os.getuid()).pw_dir
            except KeyError:
                return path
    else:
        home = _home_of(os.fsdecode(path[1:end]))
    if home is None:
        return path
    if isinstance(path, bytes):
        home = home.encode()
    return (home.rstrip(slash) + path[end:]) or slash


def _home_of(user):
    try:
        with open("/etc/passwd") as file:
            for line in file:
                fields = line.split(":")
                if fields[0] == user:
                    return fields[5]
    except OSError:
        pass
    return None


def expandvars(path):
    path = _fspath(path)
    if "$" not in path:
        return path
    import os
    out = []
    i = 0
    while i < len(path):
        if path[i] == "$":
            if path[i + 1:i + 2] == "{":
                end = path.find("}", i)
                name, after = path[i + 2:end], end + 1
            else:
                end = i + 1
                while end < len(path) and (path[end].isalnum() or path[end] == "_"):
                    end += 1
                name, after = path[i + 1:end], end
            if end > 0 and name in os.environ:
                out.append(os.environ[name])
                i = after
                continue
        out.append(path[i])
        i += 1
    return "".join(out)


def normpath(path):
    path = _fspath(path)
    slash, dot, dotdot, _ = _separators(path)
    if not path:
        return dot
    leading = 0
    if path.startswith(slash):
        # Exactly two slashes may mean something; three mean one.
        leading = 2 if path.startswith(slash * 2) and not path.startswith(slash * 3) else 1
    parts = []
    for part in path.split(slash):
        if not part or part == dot:
            continue
        if part != dotdot or (not leading and not parts) or (parts and parts[-1] == dotdot):
            parts.append(part)
        elif parts:
            parts.pop()
    return slash * leading + slash.join(parts) or dot


def abspath(path):
    path = _fspath(path)
    if not isabs(path):
        cwd = _getcwd()
        path = join(cwd.encode() if isinstance(path, bytes) else cwd, path)
    return normpath(path)


def realpath(filename, *, strict=False):
    filename = _fspath(filename)
    found = _realpath(filename)
    if found is not None:
        return found
    return _walked(filename, strict)


def _walked(filename, strict):
    """The path without links where not all of it exists: what does is resolved, the rest is taken as it stands."""
    slash, here, above = (b"/", b".", b"..") if isinstance(filename, bytes) else ("/", ".", "..")
    path = slash if filename.startswith(slash) else abspath(here)
    left, followed = filename.split(slash)[::-1], 0
    while left:
        name = left.pop()
        if not name or name == here:
            continue
        if name == above:
            path = split(path)[0]
            continue
        new = join(path, name)
        try:
            target = _readlink(new)
        except OSError:
            if strict:
                _lstat(new)
            path = new
            continue
        followed += 1
        if followed > 40:
            # A link that leads to itself; the system gives up as early.
            if strict:
                _stat(new)
            return normpath(join(new, *left[::-1]))
        if target.startswith(slash):
            path = slash
        left.extend(target.split(slash)[::-1])
    return path


def relpath(path, start=None):
    if not path:
        raise ValueError("no path specified")
    here = [x for x in abspath(curdir if start is None else start).split(sep) if x]
    there = [x for x in abspath(path).split(sep) if x]
    shared = 0
    while shared < min(len(here), len(there)) and here[shared] == there[shared]:
        shared += 1
    return join(*([pardir] * (len(here) - shared) + there[shared:] or [curdir]))


def commonprefix(m):
    if not m:
        return ""
    m = [_fspath(p) if not isinstance(p, (list, tuple)) else p for p in m]
    low, high = min(m), max(m)
    for i, c in enumerate(low):
        if c != high[i]:
            return low[:i]
    return low


def commonpath(paths):
    paths = [_fspath(p) for p in paths]
    if not paths:
        raise ValueError("commonpath() arg is an empty sequence")
    if len({isabs(p) for p in paths}) != 1:
        raise ValueError("Can't mix absolute and relative paths")
    split_paths = [[c for c in p.split(sep) if c and c != curdir] for p in paths]
    common = commonprefix(split_paths)
    return (sep if isabs(paths[0]) else "") + sep.join(common)

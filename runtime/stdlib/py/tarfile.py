"""CPython's reader and writer of tar archives, with the filters of what is extracted (PEP 706) over it."""

import _pytarfile
import copy
import os
from _pytarfile import *
from _pytarfile import __all__

__all__ = [*__all__, "fully_trusted_filter", "data_filter", "tar_filter", "FilterError", "AbsoluteLinkError",
           "OutsideDestinationError", "SpecialFileError", "AbsolutePathError", "LinkOutsideDestinationError"]


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_pytarfile, name)


_KEEP = object()


class FilterError(TarError):
    pass


class AbsolutePathError(FilterError):
    def __init__(self, tarinfo):
        self.tarinfo = tarinfo
        super().__init__(f"member {tarinfo.name!r} has an absolute path")


class OutsideDestinationError(FilterError):
    def __init__(self, tarinfo, path):
        self.tarinfo = tarinfo
        self._path = path
        super().__init__(f"{tarinfo.name!r} would be extracted to {path!r}, which is outside the destination")


class SpecialFileError(FilterError):
    def __init__(self, tarinfo):
        self.tarinfo = tarinfo
        super().__init__(f"{tarinfo.name!r} is a special file")


class AbsoluteLinkError(FilterError):
    def __init__(self, tarinfo):
        self.tarinfo = tarinfo
        super().__init__(f"{tarinfo.name!r} is a link to an absolute path")


class LinkOutsideDestinationError(FilterError):
    def __init__(self, tarinfo, path):
        self.tarinfo = tarinfo
        self._path = path
        super().__init__(f"{tarinfo.name!r} would link to {path!r}, which is outside the destination")


def _outside(path, root):
    return os.path.commonpath([path, root]) != root


def _changes(member, root, is_data):
    """What a filter changes of a member, or its error; `root` is where it is extracted."""
    changes = {}
    name = member.name
    root = os.path.realpath(root)
    if name.startswith(("/", os.sep)):
        name = changes["name"] = member.path.lstrip("/" + os.sep)
    if os.path.isabs(name):
        raise AbsolutePathError(member)
    target = os.path.realpath(os.path.join(root, name))
    if _outside(target, root):
        raise OutsideDestinationError(member, target)
    mode = member.mode
    if mode is not None:
        # No set-user and set-group bits, no sticky bit, nothing that group and others may write.
        mode &= 0o755
        if is_data:
            if member.isreg() or member.islnk():
                if not mode & 0o100:
                    mode &= ~0o111
                mode |= 0o600
            elif member.isdir() or member.issym():
                mode = None
            else:
                raise SpecialFileError(member)
        if mode != member.mode:
            changes["mode"] = mode
    if is_data:
        for part in ("uid", "gid", "uname", "gname"):
            if getattr(member, part) is not None:
                changes[part] = None
        if member.islnk() or member.issym():
            if os.path.isabs(member.linkname):
                raise AbsoluteLinkError(member)
            folder = os.path.dirname(name) if member.issym() else ""
            target = os.path.realpath(os.path.join(root, folder, member.linkname))
            if _outside(target, root):
                raise LinkOutsideDestinationError(member, target)
    return changes


def fully_trusted_filter(member, dest_path):
    return member


def tar_filter(member, dest_path):
    changes = _changes(member, dest_path, False)
    return member.replace(**changes, deep=False) if changes else member


def data_filter(member, dest_path):
    changes = _changes(member, dest_path, True)
    return member.replace(**changes, deep=False) if changes else member


_FILTERS = {"fully_trusted": fully_trusted_filter, "tar": tar_filter, "data": data_filter}


class TarInfo(_pytarfile.TarInfo):
    __slots__ = ()

    def replace(self, *, name=_KEEP, mtime=_KEEP, mode=_KEEP, linkname=_KEEP, uid=_KEEP, gid=_KEEP, uname=_KEEP,
                gname=_KEEP, deep=True):
        """A copy with other values."""
        result = copy.deepcopy(self) if deep else copy.copy(self)
        given = {"name": name, "mtime": mtime, "mode": mode, "linkname": linkname, "uid": uid, "gid": gid,
                 "uname": uname, "gname": gname}
        for part, value in given.items():
            if value is not _KEEP:
                setattr(result, part, value)
        return result

    def get_info(self):
        # What is not told is not known to the archive's format.
        absent = {part: 0 for part in ("uid", "gid", "mtime", "mode") if getattr(self, part) is None}
        absent.update({part: "" for part in ("uname", "gname") if getattr(self, part) is None})
        return _pytarfile.TarInfo.get_info(self.replace(**absent, deep=False) if absent else self)


class TarFile(_pytarfile.TarFile):
    tarinfo = TarInfo
    extraction_filter = None

    def _filter(self, given):
        if given is None:
            given = self.extraction_filter
            if given is None:
                return fully_trusted_filter
            if isinstance(given, str):
                raise TypeError("String names are not supported for TarFile.extraction_filter. Use a function such "
                                "as tarfile.data_filter directly.")
            return given
        if callable(given):
            return given
        try:
            return _FILTERS[given]
        except KeyError:
            raise ValueError(f"filter {given!r} not found") from None

    def _filtered(self, member, given, path):
        """The member that is to be extracted; None where it is not."""
        member = self.getmember(member) if isinstance(member, str) else member
        try:
            filtered = given(member, path)
        except (OSError, FilterError) as error:
            self._complain(error, 0)
            return None
        except ExtractError as error:
            self._complain(error, 1)
            return None
        if filtered is None:
            self._dbg(2, f"tarfile: Excluded {member.name!r}")
            return None
        if filtered.islnk():
            filtered = copy.copy(filtered)
            filtered._link_target = os.path.join(path, filtered.linkname)
        return filtered

    def _complain(self, error, level):
        if self.errorlevel > level:
            raise error
        if isinstance(error, OSError) and error.filename is None:
            self._dbg(1, f"tarfile: {error.strerror}")
        elif isinstance(error, OSError):
            self._dbg(1, f"tarfile: {error.strerror} {error.filename!r}")
        else:
            self._dbg(1, f"tarfile: {type(error).__name__} {error}")

    def _extract_one(self, member, path, set_attrs, numeric_owner):
        try:
            self._extract_member(member, os.path.join(path, member.name), set_attrs=set_attrs,
                                 numeric_owner=numeric_owner)
        except OSError as error:
            self._complain(error, 0)
        except ExtractError as error:
            self._complain(error, 1)

    def extract(self, member, path="", set_attrs=True, *, numeric_owner=False, filter=None):
        self._check("r")
        member = self._filtered(member, self._filter(filter), path)
        if member is not None:
            self._extract_one(member, path, set_attrs, numeric_owner)

    def extractall(self, path=".", members=None, *, numeric_owner=False, filter=None):
        given, directories = self._filter(filter), []
        for member in self if members is None else members:
            member = self._filtered(member, given, path)
            if member is None:
                continue
            if member.isdir():
                # Its attributes come when its files are there; they could not be written otherwise.
                directories.append(member)
                member = member.replace(mode=0o700, deep=False)
            self._extract_one(member, path, not member.isdir(), numeric_owner)
        for member in sorted(directories, key=lambda member: member.name, reverse=True):
            target = os.path.join(path, member.name)
            try:
                self.chown(member, target, numeric_owner)
                self.utime(member, target)
                self.chmod(member, target)
            except ExtractError as error:
                self._complain(error, 1)

    def makedir(self, tarinfo, targetpath):
        if tarinfo.mode is not None:
            return super().makedir(tarinfo, targetpath)
        try:
            os.mkdir(targetpath)
        except FileExistsError:
            if not os.path.isdir(targetpath):
                raise

    def chown(self, tarinfo, targetpath, numeric_owner):
        if tarinfo.uid is None or tarinfo.gid is None or tarinfo.uname is None or tarinfo.gname is None:
            here = tarinfo.replace(uid=os.geteuid() if tarinfo.uid is None else tarinfo.uid,
                                   gid=os.getegid() if tarinfo.gid is None else tarinfo.gid,
                                   uname=tarinfo.uname or "", gname=tarinfo.gname or "", deep=False)
            return super().chown(here, targetpath, numeric_owner)
        return super().chown(tarinfo, targetpath, numeric_owner)

    def chmod(self, tarinfo, targetpath):
        if tarinfo.mode is not None:
            super().chmod(tarinfo, targetpath)

    def utime(self, tarinfo, targetpath):
        if tarinfo.mtime is not None:
            super().utime(tarinfo, targetpath)

    def list(self, verbose=True, *, members=None):
        if verbose:
            kept = self if members is None else members
            members = [member if member.mode is not None and member.mtime is not None
                       else member.replace(mode=member.mode or 0, mtime=member.mtime or 0, deep=False)
                       for member in kept]
        super().list(verbose, members=members)


open = TarFile.open


def is_tarfile(name):
    """Whether a file, by name or open, is a tar archive."""
    try:
        if hasattr(name, "read"):
            at = name.tell()
            archive = open(fileobj=name)
            name.seek(at)
        else:
            archive = open(name)
        archive.close()
        return True
    except TarError:
        return False

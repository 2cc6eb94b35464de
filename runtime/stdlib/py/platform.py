"""The machine and the implementation."""

import os
import sys
from collections import namedtuple


class uname_result(namedtuple("uname_result_base", "system node release version machine")):
    """The system; its processor is looked up when it is asked for."""

    _fields = ("system", "node", "release", "version", "machine", "processor")

    def __new__(cls, system, node, release, version, machine, processor=None):
        return super().__new__(cls, system, node, release, version, machine)

    @classmethod
    def _make(cls, iterable):
        parts = tuple(iterable)
        if len(parts) not in (5, 6):
            raise TypeError(f"Expected 6 arguments, got {len(parts)}")
        return cls(*parts)

    def __reduce__(self):
        return uname_result, tuple(self)[:5]

    @property
    def processor(self):
        return processor()

    def __iter__(self):
        return iter((*tuple.__iter__(self), self.processor))

    def __len__(self):
        return 6

    def __getitem__(self, key):
        return tuple(iter(self))[key]


def uname():
    name = os.uname()
    return uname_result(name.sysname, name.nodename, name.release, name.version, name.machine)


def mac_ver(release="", versioninfo=("", "", ""), machine=""):
    return release, versioninfo, machine


def win32_ver(release="", version="", csd="", ptype=""):
    return release, version, csd, ptype


def java_ver(release="", vendor="", vminfo=("", "", ""), osinfo=("", "", "")):
    return release, vendor, vminfo, osinfo


def system():
    return os.uname().sysname


def node():
    return os.uname().nodename


def release():
    return os.uname().release


def version():
    return os.uname().version


def machine():
    return os.uname().machine


processor = machine


def architecture(executable=sys.executable, bits="", linkage=""):
    return "64bit", "ELF"


def platform(aliased=False, terse=False):
    name = os.uname()
    return f"{name.sysname}-{name.release}-{name.machine}"


def python_version():
    return sys.version.split()[0]


def python_version_tuple():
    return tuple(python_version().split("."))


def python_implementation():
    return "janus"


def python_compiler():
    return "janus-jit"


def python_build():
    return "main", ""


def __getattr__(name):
    # CPython's, for what does not depend on the implementation.
    import _pyplatform
    try:
        return getattr(_pyplatform, name)
    except AttributeError:
        raise AttributeError(f"module 'platform' has no attribute {name!r}") from None

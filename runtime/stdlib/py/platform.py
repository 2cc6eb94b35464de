"""The machine and the implementation."""

import os
import sys


def uname():
    return os.uname()


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

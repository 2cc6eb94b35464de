"""The part in C of the package psutil, whose other parts read `/proc`: as far as the library of Python reaches."""

import os
import resource
import sys

DUPLEX_HALF, DUPLEX_FULL, DUPLEX_UNKNOWN = 0, 1, 255
for _name in dir(resource):
    if _name.startswith("RLIM"):
        globals()[_name] = getattr(resource, _name)


def __getattr__(name):
    # psutil compares it with its own, which it has by then.
    if name == "version":
        return int(sys.modules["psutil"].__version__.replace(".", ""))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class ZombieProcessError(Exception):
    pass


def getpagesize():
    return resource.getpagesize()


def set_debug(value):
    """There is nothing to say."""
    if not isinstance(value, (bool, int)):
        raise TypeError("set_debug() takes a bool")


def check_pid_range(pid):
    if not -(2**31) <= pid < 2**31:
        raise OverflowError("signed integer is greater than maximum")


def disk_partitions(path):
    found = []
    with open(path) as file:
        for line in file:
            device, place, kind, options, *_ = line.split()
            unescaped = (text.encode("ascii", "backslashreplace").decode("unicode_escape") for text in (device, place))
            found.append((*unescaped, kind, options))
    return found


def linux_sysinfo():
    """Total, free, buffers, shared memory, total and free swap, and the unit that these are in."""
    kib = {}
    with open("/proc/meminfo") as file:
        for line in file:
            name, _, rest = line.partition(":")
            kib[name] = int(rest.split()[0])
    names = ("MemTotal", "MemFree", "Buffers", "Shmem", "SwapTotal", "SwapFree")
    return (*(kib.get(name, 0) for name in names), 1024)


def proc_priority_get(pid):
    return os.getpriority(os.PRIO_PROCESS, pid)


def proc_priority_set(pid, value):
    os.setpriority(os.PRIO_PROCESS, pid, value)


def proc_cpu_affinity_get(pid):
    return sorted(os.sched_getaffinity(pid))


def proc_cpu_affinity_set(pid, cpus):
    os.sched_setaffinity(pid, cpus)


def _refuse(name):
    def refused(*args):
        raise NotImplementedError(f"psutil: {name} is not implemented in janus-jit yet")

    return refused


net_if_addrs, net_if_mtu, net_if_flags = map(_refuse, ("net_if_addrs", "net_if_mtu", "net_if_flags"))
net_if_duplex_speed, net_if_is_running = map(_refuse, ("net_if_duplex_speed", "net_if_is_running"))
users, proc_ioprio_get, proc_ioprio_set = map(_refuse, ("users", "proc_ioprio_get", "proc_ioprio_set"))

"""The name of this machine; there is no network."""

import os

AF_INET, AF_INET6, SOCK_STREAM, SOCK_DGRAM = 2, 10, 1, 2
error = OSError


class timeout(OSError):
    pass


def gethostname():
    return os.uname().nodename


getfqdn = gethostname


def gethostbyname(hostname):
    if hostname in ("localhost", "", gethostname()):
        return "127.0.0.1"
    raise OSError(-2, "Name or service not known")


def socket(*args, **kwargs):
    raise OSError("no network access")

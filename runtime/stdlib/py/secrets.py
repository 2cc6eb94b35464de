"""Random numbers of the operating system."""

import os
from random import SystemRandom

_system = SystemRandom()
choice = _system.choice
randbits = _system.getrandbits


def randbelow(exclusive_upper_bound):
    if exclusive_upper_bound <= 0:
        raise ValueError("Upper bound must be positive.")
    return _system._randbelow_of_bits(exclusive_upper_bound)


def token_bytes(nbytes=None):
    return os.urandom(32 if nbytes is None else nbytes)


def token_hex(nbytes=None):
    return token_bytes(nbytes).hex()


def token_urlsafe(nbytes=None):
    import base64
    return base64.urlsafe_b64encode(token_bytes(nbytes)).rstrip(b"=").decode()


def compare_digest(a, b):
    return a == b

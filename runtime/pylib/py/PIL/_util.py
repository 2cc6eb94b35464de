"""What several modules need."""

import os


def is_path(f):
    return isinstance(f, (bytes, str, os.PathLike))


def missing(what):
    return NotImplementedError(f"{what} is not implemented in janus-jit yet")

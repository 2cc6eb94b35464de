"""torch.cuda.nvtx: marks for a profiler of devices, of which there is none: nobody reads them."""

import contextlib


def range_push(msg):
    """The depth that PyTorch tells where no profiler listens."""
    return -2


def range_pop():
    return -2


def range_start(msg):
    return 0


def range_end(range_id):
    """Nobody listens."""


def mark(msg):
    """Nobody listens."""


@contextlib.contextmanager
def range(msg, *args, **kwargs):
    yield

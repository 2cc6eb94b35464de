"""torch.profiler: names for parts of a program; measuring is left to janus-jit itself."""

import enum

from _refused import absent
from torch import _C
from torch.autograd import profiler as _profiler
from torch.autograd.profiler import record_function


class ProfilerActivity(enum.Enum):
    CPU = 0
    XPU = 1
    CUDA = 2
    MTIA = 3


class ProfilerAction(enum.Enum):
    """What is to be done in a step."""

    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


def schedule(*, wait, warmup, active, repeat=0, skip_first=0, skip_first_wait=0):
    """The action of each step: some are waited for, some warm up, some are recorded, again and again."""
    if wait < 0 or warmup < 0 or active <= 0 or repeat < 0 or skip_first < 0:
        raise AssertionError("Invalid profiler schedule arguments")

    def action(step):
        if step < 0:
            raise AssertionError(f"Step must be non-negative. Got {step}.")
        step -= skip_first
        if step < 0:
            return ProfilerAction.NONE
        if skip_first_wait:
            step += wait
        round_, place = divmod(step, wait + warmup + active)
        if repeat > 0 and round_ >= repeat or place < wait:
            return ProfilerAction.NONE
        if place < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD if place < wait + warmup + active - 1 else ProfilerAction.RECORD_AND_SAVE

    return action


def kineto_available():
    """Whether there is the library that PyTorch's profiler measures with."""
    return False


def tensorboard_trace_handler(dir_name, worker_name=None, use_gzip=False):
    """What a profiler is told to do with its traces; there is none here that would call it."""
    def handler(prof):
        raise absent("torch.profiler", "tensorboard_trace_handler")

    return handler


class profile(_profiler.profile):
    def __init__(self, **options):
        super().__init__(True, **options)


def __getattr__(name):
    return _C._missing_name("torch.profiler", name)

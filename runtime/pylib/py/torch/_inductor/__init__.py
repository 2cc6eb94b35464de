"""torch._inductor: settings of a compiler that is not there; this one needs none."""

import torch

from . import config


def __getattr__(name):
    return torch._C._missing_name("torch._inductor", name)

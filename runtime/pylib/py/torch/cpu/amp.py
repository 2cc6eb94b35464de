"""torch.cpu.amp, which torch.amp took the place of."""

import warnings

import torch
from torch import amp


def _deprecated(old, new):
    warnings.warn(f"`torch.cpu.amp.{old}` is deprecated. Please use `torch.amp.{new}` instead.", FutureWarning, 3)


class autocast(amp.autocast):
    def __init__(self, enabled=True, dtype=torch.bfloat16, cache_enabled=True):
        _deprecated("autocast(args...)", "autocast('cpu', args...)")
        super().__init__("cpu", dtype, enabled, cache_enabled)


class GradScaler(amp.GradScaler):
    def __init__(self, init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True):
        _deprecated("GradScaler(args...)", "GradScaler('cpu', args...)")
        super().__init__("cpu", init_scale, growth_factor, backoff_factor, growth_interval, enabled)

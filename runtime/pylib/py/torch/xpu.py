"""torch.xpu, where there is no such device."""

import torch
from torch.cuda import (
    device_count, empty_cache, get_rng_state_all, is_available, is_initialized, manual_seed, manual_seed_all,
    max_memory_allocated, memory_allocated, memory_reserved,
)


def is_bf16_supported(including_emulation=True):
    return False


def _no_device(*args, **kwargs):
    raise AssertionError("Torch not compiled with XPU enabled")


current_device = set_device = synchronize = get_device_name = get_device_properties = get_device_capability = _no_device
get_rng_state = set_rng_state = mem_get_info = reset_peak_memory_stats = _no_device


def set_rng_state_all(new_states):
    for _ in new_states:
        _no_device()


def __getattr__(name):
    return torch._C._missing_name("torch.xpu", name)

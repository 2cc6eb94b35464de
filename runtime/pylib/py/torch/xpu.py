"""torch.xpu, where there is no such device."""

import torch


def is_available():
    return False


def is_initialized():
    return False


def is_bf16_supported(including_emulation=True):
    return False


def device_count():
    return 0


def manual_seed(seed):
    """No device, no stream to seed."""


def manual_seed_all(seed):
    """No device, no stream to seed."""


def empty_cache():
    """No cache."""


def _no_device(*args, **kwargs):
    raise AssertionError("Torch not compiled with XPU enabled")


current_device = set_device = synchronize = get_device_name = get_device_properties = get_device_capability = _no_device
get_rng_state = set_rng_state = mem_get_info = reset_peak_memory_stats = _no_device


def memory_allocated(device=None):
    return 0


def max_memory_allocated(device=None):
    return 0


def memory_reserved(device=None):
    return 0


def get_rng_state_all():
    return []


def set_rng_state_all(new_states):
    for _ in new_states:
        _no_device()


def __getattr__(name):
    return torch._C._missing_name("torch.xpu", name)

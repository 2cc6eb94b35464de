"""torch.cuda, where there is no device."""

import torch


def is_available():
    return False


def is_initialized():
    return False


def is_bf16_supported():
    return False


def device_count():
    return 0


def manual_seed(seed):
    """No device, no stream to seed."""


def manual_seed_all(seed):
    """No device, no stream to seed."""


def empty_cache():
    """No cache."""


def synchronize(device=None):
    torch._C._check_device("cuda")


def current_device():
    torch._C._check_device("cuda")


def set_device(device):
    torch._C._check_device("cuda")


def get_device_name(device=None):
    torch._C._check_device("cuda")


def memory_allocated(device=None):
    return 0


def max_memory_allocated(device=None):
    return 0


def __getattr__(name):
    if name == "amp":
        return torch._C._import_module("torch.cuda.amp")
    return torch._C._missing_name("torch.cuda", name)

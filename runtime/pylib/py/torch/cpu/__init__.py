"""torch.cpu: the one device that there is."""

import torch


def is_available():
    return True


def device_count():
    return 1


def current_device():
    return "cpu"


def set_device(device):
    """There is one."""


def synchronize(device=None):
    """Everything is done when it returns."""


def __getattr__(name):
    if name == "amp":
        return torch._C._import_module("torch.cpu.amp")
    return torch._C._missing_name("torch.cpu", name)

"""torch.accelerator: the CUDA device, where there is one."""

import torch
from torch import cuda


def is_available():
    return cuda.is_available()


def device_count():
    return cuda.device_count()


def current_accelerator(check_available=False):
    return torch.device("cuda") if cuda.is_available() else None


def _of_cuda(function):
    def asked(*args, **kwargs):
        if not cuda.is_available():
            raise RuntimeError("Cannot access accelerator device when none is available.")
        return function(*args, **kwargs)

    return asked


current_device_index = current_device_idx = _of_cuda(cuda.current_device)
set_device_index = set_device_idx = _of_cuda(cuda.set_device)
current_stream = _of_cuda(cuda.current_stream)
set_stream = _of_cuda(cuda.set_stream)
synchronize = _of_cuda(cuda.synchronize)

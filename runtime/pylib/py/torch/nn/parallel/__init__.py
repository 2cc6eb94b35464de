"""Data parallelism: within a process there is one device, so DataParallel splits nothing."""

import torch
from .data_parallel import DataParallel, data_parallel


def parallel_apply(modules, inputs, kwargs_tup=None, devices=None):
    """Each module with its inputs, one after the other: there is one device."""
    if len(modules) != len(inputs):
        raise AssertionError(
            f"The number of modules {len(modules)} is not equal to the number of inputs {len(inputs)}"
        )
    if kwargs_tup is None:
        kwargs_tup = ({},) * len(modules)
    elif len(modules) != len(kwargs_tup):
        raise AssertionError(
            f"The number of modules {len(modules)} is not equal to the number of kwargs {len(kwargs_tup)}"
        )
    if devices is not None and len(modules) != len(devices):
        raise AssertionError(
            f"The number of modules {len(modules)} is not equal to the number of devices {len(devices)}"
        )
    return [
        module(*(given if isinstance(given, (list, tuple)) else (given,)), **kwargs)
        for module, given, kwargs in zip(modules, inputs, kwargs_tup)
    ]


def __getattr__(name):
    if name == "DistributedDataParallel":
        # torch.distributed is only loaded for those who use it.
        from .distributed import DistributedDataParallel

        return DistributedDataParallel
    return torch._C._missing_name("torch.nn.parallel", name)

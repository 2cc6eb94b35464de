"""torch.mps, where there is no Metal."""

import torch


def device_count():
    return 0


def is_available():
    return False


def _no_device(name):
    def refused(*args, **kwargs):
        raise RuntimeError(f"Cannot execute {name}() without MPS backend.")

    return refused


synchronize, empty_cache = _no_device("deviceSynchronize"), _no_device("emptyCache")
current_allocated_memory, driver_allocated_memory = map(_no_device, ("currentAllocatedMemory", "driverAllocatedMemory"))
recommended_max_memory = _no_device("recommendedMaxMemory")


def __getattr__(name):
    return torch._C._missing_name("torch.mps", name)

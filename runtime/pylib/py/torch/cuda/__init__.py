"""torch.cuda, where there is no device."""

import torch


def is_available():
    return False


# There is nothing to initialise.
_initialized = False


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


def get_device_properties(device=None):
    torch._C._check_device("cuda")


def get_device_capability(device=None):
    torch._C._check_device("cuda")


def current_stream(device=None):
    torch._C._check_device("cuda")


def default_stream(device=None):
    torch._C._check_device("cuda")


def mem_get_info(device=None):
    torch._C._check_device("cuda")


def get_rng_state(device="cuda"):
    torch._C._check_device("cuda")


def set_rng_state(new_state, device="cuda"):
    torch._C._check_device("cuda")


def get_rng_state_all():
    return []


def set_rng_state_all(new_states):
    for state in new_states:
        set_rng_state(state)


def memory_allocated(device=None):
    return 0


def memory_reserved(device=None):
    return 0


def max_memory_reserved(device=None):
    return 0


def memory_stats(device=None):
    import collections

    return collections.OrderedDict()


def max_memory_allocated(device=None):
    return 0


# One for each device.
default_generators = ()
# An old name: floats of 16 bits are there.
has_half = True


def is_tf32_supported():
    return False


def get_arch_list():
    return []


def get_gencode_flags():
    return ""


def get_allocator_backend():
    return "native"


def memory_cached(device=None):
    return memory_reserved(device)


def max_memory_cached(device=None):
    return max_memory_reserved(device)


def memory_snapshot(mempool_id=None):
    return []


def memory_stats_as_nested_dict(device=None):
    return {}


def host_memory_stats():
    return memory_stats()


def seed():
    """No device, no stream to seed."""


def seed_all():
    """No device, no stream to seed."""


class device:
    """A context in which the device is the current one."""

    def __init__(self, device):
        if isinstance(device, str):
            device = torch.device(device)
        self.idx = (device.index if device.index is not None else 0) if isinstance(device, torch.device) else device
        self.prev_idx = -1

    def __enter__(self):
        # Of no device and of the one below zero nothing is asked.
        if self.idx is not None and self.idx >= 0:
            torch._C._check_device("cuda")

    def __exit__(self, type, value, traceback):
        return False


class device_of(device):
    """The device that a tensor is on."""

    def __init__(self, obj):
        super().__init__(obj.get_device() if obj.is_cuda else -1)


class StreamContext:
    """A context in which work goes to a stream; of none, nothing changes."""

    def __init__(self, stream):
        self.stream = stream

    def __enter__(self):
        if self.stream is not None:
            torch._C._check_device("cuda")

    def __exit__(self, type, value, traceback):
        return False


def stream(stream):
    return StreamContext(stream)


def _of_device(name):
    def function(*args, **kwargs):
        torch._C._check_device("cuda")

    function.__name__ = function.__qualname__ = name
    function.__module__ = "torch.cuda"
    return function


# What asks a device, and finds none.
for _name in (
    "can_device_access_peer", "current_blas_handle", "get_per_process_memory_fraction", "get_sync_debug_mode", "init",
    "initial_seed", "ipc_collect", "is_current_stream_capturing", "make_graphed_callables", "memory_summary",
    "reset_accumulated_memory_stats", "reset_max_memory_allocated", "reset_max_memory_cached", "reset_peak_memory_stats",
    "set_per_process_memory_fraction", "set_stream", "set_sync_debug_mode",
):
    globals()[_name] = _of_device(_name)


def __getattr__(name):
    if name in ("Stream", "Event", "ExternalStream", "CUDAGraph", "CUDAPluggableAllocator", "MemPool", "graph", "BoolTensor", "ByteTensor", "CharTensor",
                "DoubleTensor", "FloatTensor", "HalfTensor", "IntTensor", "LongTensor", "ShortTensor", "BFloat16Tensor"):
        from torch import _absent

        return _absent.absent_class("torch.cuda", name)
    if name in ("amp", "memory", "random", "nvtx"):
        return torch._C._import_module("torch.cuda." + name)
    if name in ("OutOfMemoryError", "AcceleratorError"):
        return getattr(torch, name)
    return torch._C._missing_name("torch.cuda", name)

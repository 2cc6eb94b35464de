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


def __getattr__(name):
    if name in ("Stream", "Event", "StreamContext", "CUDAGraph", "graph", "BoolTensor", "ByteTensor", "CharTensor",
                "DoubleTensor", "FloatTensor", "HalfTensor", "IntTensor", "LongTensor", "ShortTensor", "BFloat16Tensor"):
        from torch import _absent

        return _absent.absent_class("torch.cuda", name)
    if name == "amp":
        return torch._C._import_module("torch.cuda.amp")
    return torch._C._missing_name("torch.cuda", name)

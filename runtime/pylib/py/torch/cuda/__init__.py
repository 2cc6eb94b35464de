"""torch.cuda: the CUDA device, where there is one. Work is done when a call returns, so nothing is waited for."""

from collections import OrderedDict

import torch
from torch import _C

from .streams import Event, ExternalStream, Stream, StreamContext, current_stream, default_stream, set_stream, stream

# An old name: floats of 16 bits are there.
has_half = True
_initialized = False
# What an emulated device says of itself: that of the GPU whose multiprocessors it has.
_NAME = "janus-jit emulated GPU"
_CAPABILITY = (9, 0)


def device_count():
    return _C._cuda_count()


def is_available():
    return device_count() > 0


def is_initialized():
    return _initialized


def init():
    global _initialized
    _C._check_device("cuda")
    _initialized = True


def is_bf16_supported(including_emulation=True):
    return is_available()


def is_tf32_supported():
    """Products are computed in the precision of their dtype."""
    return False


def _index(device, optional=True):
    """The number of a device that a function is asked about; that of the current one where nothing is said."""
    if device is None and optional:
        device = "cuda"
    if isinstance(device, int):
        if device < 0 and optional:
            return current_device()
        device = f"cuda:{device}"
    device = torch.device(device)
    if device.type != "cuda":
        raise ValueError(f"Expected a cuda device, but got: {device}")
    _C._check_device(device)
    return device.index or 0


def current_device():
    _C._check_device("cuda")
    return 0


def set_device(device):
    if isinstance(device, int) and device < 0:
        return
    _index(device)


def synchronize(device=None):
    _index(device)


class _CudaDeviceProperties:
    """What is known of a device."""

    def __init__(self, index):
        self.name = _NAME
        self.major, self.minor = _CAPABILITY
        self.total_memory = _C._cuda_usage()[0]
        self.multi_processor_count, self.max_threads_per_multi_processor = _C._cuda_properties()
        self.warp_size = 32
        self.regs_per_multiprocessor = 65536
        self.shared_memory_per_block = 49152
        self.is_integrated = self.is_multi_gpu_board = 0

    def __repr__(self):
        return (
            f"_CudaDeviceProperties(name='{self.name}', major={self.major}, minor={self.minor}, "
            f"total_memory={self.total_memory // 2**20}MB, multi_processor_count={self.multi_processor_count})"
        )


def get_device_properties(device=None):
    return _CudaDeviceProperties(_index(device))


def get_device_name(device=None):
    return get_device_properties(device).name


def get_device_capability(device=None):
    properties = get_device_properties(device)
    return properties.major, properties.minor


def can_device_access_peer(device, peer_device):
    for one in (device, peer_device):
        if not 0 <= _index(one, optional=False) < device_count():
            raise AssertionError("Invalid device id")
    return False


def get_arch_list():
    return ["sm_90"] if is_available() else []


def get_gencode_flags():
    return " ".join(f"-gencode compute=compute_{arch[3:]},code={arch}" for arch in get_arch_list())


# Memory


def mem_get_info(device=None):
    _index(device)
    total, _, _, reserved = _C._cuda_usage()[:4]
    return total - reserved, total


def memory_allocated(device=None):
    return _C._cuda_usage()[1]


def max_memory_allocated(device=None):
    return _C._cuda_usage()[2]


def memory_reserved(device=None):
    return _C._cuda_usage()[3]


def max_memory_reserved(device=None):
    return _C._cuda_usage()[4]


def memory_cached(device=None):
    return memory_reserved(device)


def max_memory_cached(device=None):
    return max_memory_reserved(device)


def memory_stats(device=None):
    if not is_available():
        return OrderedDict()
    _, allocated, most, reserved, most_reserved, blocks, refused = _C._cuda_usage()
    return OrderedDict(
        (
            ("allocated_bytes.all.current", allocated),
            ("allocated_bytes.all.peak", most),
            ("allocation.all.allocated", blocks),
            ("num_ooms", refused),
            ("reserved_bytes.all.current", reserved),
            ("reserved_bytes.all.peak", most_reserved),
        )
    )


def memory_stats_as_nested_dict(device=None):
    nested = {}
    for key, value in memory_stats(device).items():
        *path, last = key.split(".")
        inner = nested
        for part in path:
            inner = inner.setdefault(part, {})
        inner[last] = value
    return nested


def memory_summary(device=None, abbreviated=False):
    index = _index(device)
    lines = [f"janus-jit CUDA memory summary, device ID {index}"]
    lines += [f"{key:<32} {value:>16,}" for key, value in memory_stats(device).items()]
    return "\n".join(lines)


def _nothing_of(name, nothing):
    """What is told where there is no device; of one it is not known."""
    if is_available():
        raise NotImplementedError(f"torch.cuda.{name} is not implemented in janus-jit yet")
    return nothing


def memory_snapshot(mempool_id=None):
    return _nothing_of("memory_snapshot", [])


def host_memory_stats():
    return _nothing_of("host_memory_stats", OrderedDict())


def reset_peak_memory_stats(device=None):
    _index(device)
    _C._cuda_reset_peaks()


def reset_max_memory_allocated(device=None):
    reset_peak_memory_stats(device)


def reset_max_memory_cached(device=None):
    reset_peak_memory_stats(device)


def reset_accumulated_memory_stats(device=None):
    _index(device)
    _C._cuda_reset_counts()


def empty_cache():
    if is_available():
        _C._cuda_empty_cache()


_fraction = 1.0
_total = _C._cuda_usage()[0]


def set_per_process_memory_fraction(fraction, device=None):
    global _fraction
    if not isinstance(fraction, float):
        raise TypeError("Invalid type for fraction argument, must be `float`")
    if fraction < 0 or fraction > 1:
        raise ValueError(f"Invalid fraction value: {fraction}. Allowed range: 0~1")
    _index(device)
    _fraction = fraction
    _C._cuda_set_limit(int(_total * fraction))


def get_per_process_memory_fraction(device=None):
    _index(device)
    return _fraction


def get_allocator_backend():
    return "native"


def ipc_collect():
    init()


# Random numbers


def __default_generators():
    return tuple(_C._default_generator(f"cuda:{i}") for i in range(device_count()))


# One for each device.
default_generators = __default_generators()


def _generator(device):
    return default_generators[_index(device)]


def manual_seed(seed):
    """Seeds the device's random numbers; where there is none, nothing."""
    for generator in default_generators:
        generator.manual_seed(int(seed))


manual_seed_all = manual_seed


def seed():
    for generator in default_generators:
        generator.seed()


seed_all = seed


def initial_seed():
    init()
    return default_generators[0].initial_seed()


def get_rng_state(device="cuda"):
    return _generator(device).get_state()


def set_rng_state(new_state, device="cuda"):
    _generator(device).set_state(new_state)


def get_rng_state_all():
    return [generator.get_state() for generator in default_generators]


def set_rng_state_all(new_states):
    for i, state in enumerate(new_states):
        set_rng_state(state, i)


# Contexts


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
            self.prev_idx = current_device()
            set_device(self.idx)

    def __exit__(self, type, value, traceback):
        return False


class device_of(device):
    """The device that a tensor is on."""

    def __init__(self, obj):
        super().__init__(obj.get_device() if obj.is_cuda else -1)


# Graphs of the device's own: what is compiled here needs no capture.


def is_current_stream_capturing():
    return False


def current_blas_handle():
    raise NotImplementedError("torch.cuda.current_blas_handle is not implemented in janus-jit yet")


def make_graphed_callables(callables, sample_args, num_warmup_iters=3, allow_unused_input=False, pool=None):
    raise NotImplementedError("torch.cuda.make_graphed_callables is not implemented in janus-jit yet")


def get_sync_debug_mode():
    _C._check_device("cuda")
    return 0


def set_sync_debug_mode(debug_mode):
    _C._check_device("cuda")
    if debug_mode not in (0, "default"):
        raise NotImplementedError("torch.cuda.set_sync_debug_mode is not implemented in janus-jit yet")


class _OfDevice(type):
    """What `torch.cuda.FloatTensor` and its siblings have in common: tensors of a dtype on the device."""

    def __instancecheck__(cls, instance):
        return isinstance(instance, torch.Tensor) and instance.is_cuda and instance.dtype == cls._dtype

    def __call__(cls, *args, **kwargs):
        _C._check_device("cuda")
        return getattr(torch, cls.__name__)(*args, **kwargs).cuda()


def _tensor_class(name, dtype):
    return _OfDevice(name, (), {"__module__": "torch.cuda", "_dtype": dtype})


BoolTensor = _tensor_class("BoolTensor", torch.bool)
ByteTensor = _tensor_class("ByteTensor", torch.uint8)
CharTensor = _tensor_class("CharTensor", torch.int8)
ShortTensor = _tensor_class("ShortTensor", torch.int16)
IntTensor = _tensor_class("IntTensor", torch.int32)
LongTensor = _tensor_class("LongTensor", torch.int64)
HalfTensor = _tensor_class("HalfTensor", torch.float16)
BFloat16Tensor = _tensor_class("BFloat16Tensor", torch.bfloat16)
FloatTensor = _tensor_class("FloatTensor", torch.float32)
DoubleTensor = _tensor_class("DoubleTensor", torch.float64)


def __getattr__(name):
    if name in ("CUDAGraph", "CUDAPluggableAllocator", "MemPool", "graph"):
        from torch import _absent

        return _absent.absent_class("torch.cuda", name)
    if name in ("amp", "memory", "random", "nvtx"):
        return torch._C._import_module("torch.cuda." + name)
    if name in ("OutOfMemoryError", "AcceleratorError"):
        return getattr(torch, name)
    return torch._C._missing_name("torch.cuda", name)

"""The torch package: what is native comes from `torch._C`, the rest is imported when it is used."""

from torch._C import *
from torch import _C
from torch._C import __version__, _sample_dirichlet, _standard_gamma
from torch import _wanted
from torch._info import finfo, iinfo
from torch.autograd.grad_mode import (
    enable_grad, inference_mode, no_grad, set_grad_enabled,
)

# The class of the class of tensors.
_C._TensorMeta = type(Tensor)


def _log_api_usage_once(event):
    """Nobody counts here who uses what."""


_C._log_api_usage_once = _log_api_usage_once

# Submodules that `import torch` makes visible; each is loaded when it is first used.
_SUBMODULES = (
    "_dynamo",
    "_inductor",
    "_utils",
    "accelerator",
    "amp",
    "autograd",
    "backends",
    "compiler",
    "cpu",
    "cuda",
    "distributed",
    "distributions",
    "export",
    "fft",
    "func",
    "functional",
    "fx",
    "hub",
    "jit",
    "library",
    "linalg",
    "masked",
    "mps",
    "multiprocessing",
    "nested",
    "nn",
    "onnx",
    "optim",
    "overrides",
    "profiler",
    "random",
    "return_types",
    "serialization",
    "signal",
    "quasirandom",
    "sparse",
    "special",
    "testing",
    "types",
    "utils",
    "version",
    "xpu",
)
_WANTED = _wanted.TORCH
# Sizes are numbers here, and files are read elsewhere; nothing is an instance of these.
_SYMBOLS = ("PyTorchFileReader", "PyTorchFileWriter", "SymBool", "SymFloat", "SymInt")


# Functions of signals, and their windows.
_SPECTRAL = ("stft", "istft", "hann_window", "hamming_window", "bartlett_window", "blackman_window")


def __getattr__(name):
    if "_autocast" in name:
        from torch import amp

        if name in amp._OF_TORCH:
            return amp._OF_TORCH[name]
    if name in _SUBMODULES:
        return _C._import_module("torch." + name)
    if name == "ops":
        from torch.library import ops

        return ops
    if name in _SYMBOLS:
        from torch import _absent

        return _absent.absent_class("torch", name)
    if name == "ScriptModule":
        from torch import jit

        return jit.ScriptModule
    if name == "autocast":
        from torch import amp

        return amp.autocast
    if name in _SPECTRAL:
        from torch import _spectral

        return getattr(_spectral, name)
    if name in _WANTED:
        found = globals()[name] = _wanted.found(_WANTED, name)
        return found
    if name == "vmap":
        from torch._vmap import vmap

        return vmap
    if name.endswith("Storage") or name == "storage":
        storage = _C._import_module("torch.storage")
        if name == "storage":
            return storage
        if name in vars(storage):
            return getattr(storage, name)
    return _C._missing_name("torch", name)


def typename(obj):
    if isinstance(obj, Tensor):
        return obj.type()
    kind = obj if isinstance(obj, type) else type(obj)
    module = kind.__module__
    if not module or module in ("builtins", "__main__"):
        return kind.__qualname__ if module != "__main__" else f"__main__.{kind.__qualname__}"
    return f"{module}.{kind.__qualname__}"


def save(obj, f, *args, **kwargs):
    from torch import serialization

    serialization.save(obj, f, *args, **kwargs)


def load(f, *args, **kwargs):
    from torch import serialization

    return serialization.load(f, *args, **kwargs)


def set_default_tensor_type(t):
    kinds = {"torch.FloatTensor": float32, "torch.DoubleTensor": float64}
    name = t if isinstance(t, str) else f"torch.{t.__name__}"
    if name not in kinds:
        raise TypeError("only floating-point types are supported as the default type")
    set_default_dtype(kinds[name])


def _assert(condition, message):
    assert condition, message


def is_tensor(obj):
    return isinstance(obj, Tensor)


def compile(model=None, *args, **kwargs):
    """Everything is compiled here without being asked: a function is given back, a module within one of PyTorch's class."""
    if model is None:
        return lambda m: compile(m, *args, **kwargs)
    if not callable(model):
        raise TypeError(f"torch.compile() takes a function or a module, not {type(model).__name__}")
    from torch import nn

    if isinstance(model, nn.Module):
        from torch._dynamo.eval_frame import OptimizedModule

        return OptimizedModule(model)
    return model


# Settings that are told when they are asked for. Nothing here depends on the number of threads, and
# products are computed in full precision, whatever they say.
_settings = {"deterministic": False, "warn_only": False, "precision": "highest"}


def use_deterministic_algorithms(mode, *, warn_only=False):
    # `bool` is a dtype here.
    _settings["deterministic"] = not not mode
    _settings["warn_only"] = not not warn_only


def are_deterministic_algorithms_enabled():
    return _settings["deterministic"]


def is_deterministic_algorithms_warn_only_enabled():
    return _settings["warn_only"]


def set_float32_matmul_precision(precision):
    if precision not in ("highest", "high", "medium"):
        raise RuntimeError(
            f"Invalid float32 matmul precision: {precision}. Expected one of: 'highest', 'high', 'medium'"
        )
    _settings["precision"] = precision


def get_float32_matmul_precision():
    return _settings["precision"]


def split_with_sizes(tensor, split_sizes, dim=0):
    if not isinstance(split_sizes, (tuple, list)):
        name = type(split_sizes).__name__
        raise TypeError(f"split_with_sizes(): argument 'split_sizes' must be tuple of ints, not {name}")
    return tensor.split(split_sizes, dim)


def atleast_1d(tensor):
    return tensor.reshape(1) if tensor.dim() == 0 else tensor


def atleast_2d(tensor):
    if tensor.dim() == 0:
        return tensor.reshape(1, 1)
    return tensor.unsqueeze(0) if tensor.dim() == 1 else tensor


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    from torch.nn import functional

    return functional.cosine_similarity(x1, x2, dim, eps)


def get_default_device():
    return _C._get_default_device()


def set_default_device(device):
    """Where tensors are made that nobody says a device for."""
    _C._set_default_device(device)


def get_device_module(device=None):
    kind = "cpu" if device is None else (device.type if isinstance(device, _C.device) else device.split(":")[0])
    if kind not in ("cpu", "cuda", "mps", "xpu"):
        raise RuntimeError(f"Invalid device string: '{device}'" if kind == device else
                           f"Device '{device}' does not have a corresponding module registered as 'torch.{kind}'.")
    return _C._import_module("torch." + kind)


def sym_max(a, b):
    return a if a > b else b


def sym_min(a, b):
    return a if a < b else b


def sym_int(a):
    import math

    return math.trunc(a)


def sym_float(a):
    import builtins

    return builtins.float(a)


def sym_not(a):
    return not a


def sym_ite(b, t, f):
    return t if b else f


def sym_sum(args):
    import builtins

    return builtins.sum(args)


def _check(cond, message=None):
    _check_with(RuntimeError, cond, message)


def _check_with(error_type, cond, message):
    if cond not in (True, False):
        raise TypeError(f"cond must be a bool, but got {type(cond)}")
    if cond:
        return
    if message is None:
        text = ("Expected cond to be True, but got False. (Could this error message be improved? If so, please report an "
                "enhancement request to PyTorch.)")
    else:
        if not callable(message):
            raise TypeError("message must be a callable")
        text = str(message())
    raise error_type(text)


def _check_index(cond, message=None):
    _check_with(IndexError, cond, message)


def _check_value(cond, message=None):
    _check_with(ValueError, cond, message)


def _check_type(cond, message=None):
    _check_with(TypeError, cond, message)


def _check_is_size(i, message=None, *, max=None):
    _check(i >= 0 and (max is None or i <= max), message)


def frombuffer(buffer, *, dtype, count=-1, offset=0, requires_grad=False):
    """A tensor of a copy of a buffer's bytes: what is written to either is not seen by the other."""
    data = bytes(memoryview(buffer).cast("B"))
    size = _C._tensor_of_bytes(b"", dtype).element_size()
    if not data:
        raise ValueError(f"both buffer length ({len(data)}) and count ({count}) must not be 0")
    if not 0 <= offset < len(data):
        raise ValueError(f"offset ({offset} bytes) must be non-negative and no greater than buffer length ({len(data)} "
                         "bytes) minus 1")
    rest = len(data) - offset
    if count < 0:
        if rest % size:
            raise ValueError(f"buffer length ({rest} bytes) after offset ({offset} bytes) must be a multiple of element "
                             f"size ({size})")
        count = rest // size
    if offset + count * size > len(data):
        raise ValueError(f"requested buffer length ({count} * {size} bytes) after offset ({offset} bytes) must not be "
                         f"greater than actual buffer length ({len(data)} bytes)")
    made = _C._tensor_of_bytes(data[offset:offset + count * size], dtype)
    return made.requires_grad_() if requires_grad else made


def __dir__():
    return sorted({*globals(), *_SUBMODULES, *_SPECTRAL, *_WANTED})

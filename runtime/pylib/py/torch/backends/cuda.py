"""torch.backends.cuda, where there is no CUDA: its switches can be set."""

import contextlib
import warnings


class _Products:
    """Switches of matrix products."""

    def __init__(self):
        self.allow_tf32 = False
        self.allow_fp16_reduced_precision_reduction = True
        self.allow_bf16_reduced_precision_reduction = True
        self.allow_fp16_accumulation = False
        self.fp32_precision = "none"


matmul = _Products()
# Which kinds of attention may be used, by name.
_attention = {"flash": True, "mem_efficient": True, "math": True, "cudnn": True}


def is_built():
    return False


def enable_flash_sdp(enabled):
    _attention["flash"] = enabled


def flash_sdp_enabled():
    return _attention["flash"]


def enable_mem_efficient_sdp(enabled):
    _attention["mem_efficient"] = enabled


def mem_efficient_sdp_enabled():
    return _attention["mem_efficient"]


def enable_math_sdp(enabled):
    _attention["math"] = enabled


def math_sdp_enabled():
    return _attention["math"]


def enable_cudnn_sdp(enabled):
    _attention["cudnn"] = enabled


def cudnn_sdp_enabled():
    return _attention["cudnn"]


@contextlib.contextmanager
def sdp_kernel(enable_flash=True, enable_math=True, enable_mem_efficient=True, enable_cudnn=True):
    """Deprecated by `torch.nn.attention.sdpa_kernel`: within, these kinds may be used."""
    warnings.warn(
        "`torch.backends.cuda.sdp_kernel()` is deprecated. In the future, this context manager will be removed. Please see "
        "`torch.nn.attention.sdpa_kernel()` for the new context manager, with updated signature.",
        FutureWarning,
        stacklevel=3,
    )
    before = dict(_attention)
    _attention.update(flash=enable_flash, math=enable_math, mem_efficient=enable_mem_efficient, cudnn=enable_cudnn)
    try:
        yield {}
    finally:
        _attention.update(before)

"""torch.backends.cuda, where there is no CUDA: its switches can be set."""


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

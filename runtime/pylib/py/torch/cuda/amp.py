"""torch.cuda.amp: without CUDA neither of the two does anything."""

from torch import amp


class autocast(amp.autocast):
    def __init__(self, enabled=True, dtype=None, cache_enabled=True):
        super().__init__("cuda", dtype, enabled, cache_enabled)


class GradScaler(amp.GradScaler):
    def __init__(self, init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True):
        super().__init__("cuda", enabled)


def custom_fwd(fwd=None, *, cast_inputs=None):
    return (lambda fwd: fwd) if fwd is None else fwd


def custom_bwd(bwd):
    return bwd

"""torch.amp. For a device that is not there it does nothing, as in PyTorch; on the CPU, where it would compute in
bfloat16, it is refused.
"""


import torch

_SCALES = ("init_scale", "growth_factor", "backoff_factor", "growth_interval")


class autocast:
    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        if dtype is not None and not isinstance(dtype, torch.dtype):
            raise ValueError(f"Expected `dtype` to be a `torch.dtype`, got: {type(dtype)}")
        if enabled and str(device_type).split(":")[0] == "cpu":
            raise NotImplementedError("torch.amp.autocast on the CPU is not implemented in janus-jit yet")

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        return False

    def __call__(self, func):
        return func


class GradScaler:
    """A scaler that is disabled, as it is without a device."""

    def __init__(self, device=None, enabled=True, **kwargs):
        if enabled and device is not None and str(device).split(":")[0] == "cpu":
            raise NotImplementedError("torch.amp.GradScaler on the CPU is not implemented in janus-jit yet")
        unknown = [key for key in kwargs if key not in _SCALES]
        if unknown:
            raise TypeError(f"GradScaler.__init__() got an unexpected keyword argument '{unknown[0]}'")
        self._enabled = False

    def scale(self, outputs):
        return outputs

    def unscale_(self, optimizer):
        """Nothing was scaled."""

    def step(self, optimizer, *args, **kwargs):
        return optimizer.step(*args, **kwargs)

    def update(self, new_scale=None):
        """Nothing to adapt."""

    def is_enabled(self):
        return False

    def get_scale(self):
        return 1.0

    def state_dict(self):
        return {}

    def load_state_dict(self, state_dict):
        """Nothing was saved."""

"""torch.amp. For a device that is not there it does nothing, as in PyTorch; on the CPU, where it would compute in
bfloat16, it is refused.
"""


class autocast:
    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
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

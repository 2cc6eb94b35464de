"""torch.random."""

from contextlib import contextmanager

from torch._C import get_rng_state, initial_seed, manual_seed, seed, set_rng_state


@contextmanager
def fork_rng(devices=None, enabled=True, _caller="fork_rng", _devices_kw="devices", device_type="cuda"):
    """Random numbers go on afterwards as if nothing had been drawn inside."""
    if not enabled:
        yield
        return
    from torch import cuda

    there = range(cuda.device_count()) if devices is None else list(devices)
    state = get_rng_state()
    of_devices = [cuda.get_rng_state(device) for device in there]
    try:
        yield
    finally:
        set_rng_state(state)
        for device, own in zip(there, of_devices):
            cuda.set_rng_state(own, device)

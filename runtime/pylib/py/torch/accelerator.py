"""torch.accelerator, where there is none."""


def is_available():
    return False


def current_accelerator(check_available=False):
    return None


def device_count():
    return 0


def _none(*args, **kwargs):
    raise RuntimeError("Cannot access accelerator device when none is available.")


current_device_index = current_device_idx = set_device_index = set_device_idx = current_stream = set_stream = synchronize = _none

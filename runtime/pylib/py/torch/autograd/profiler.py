"""torch.autograd.profiler: names for parts of a program. What they took is shown by janus-jit itself."""

import contextlib

from torch import _C
from torch._absent import absent_class


class record_function(contextlib.ContextDecorator):
    """A name for what runs inside; nobody listens here, as in PyTorch where no profiler runs."""

    def __init__(self, name, args=None):
        self.name = name
        self.args = args

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        return None


class profile:
    """A profiler that is switched off; one that is on is refused."""

    def __init__(self, enabled=True, **options):
        if enabled:
            raise NotImplementedError(
                "PyTorch's profiler is not implemented in janus-jit: run the script with `janus-jit run --trace FILE`"
            )
        self.enabled = enabled
        self.options = options

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        return False

emit_itt = absent_class("torch.autograd.profiler", "emit_itt")
emit_nvtx = absent_class("torch.autograd.profiler", "emit_nvtx")
EventList = absent_class("torch.autograd.profiler_util", "EventList")
FunctionEvent = absent_class("torch.autograd.profiler_util", "FunctionEvent")


def __getattr__(name):
    return _C._missing_name("torch.autograd.profiler", name)

"""torch.autograd.profiler: which functions of torch a part of a program calls, and how long they take.

While a profiler runs, each call goes through a mode, so that all of it stays in tier 0: what is measured is that tier.
`janus-jit run --trace FILE` shows a program as it runs otherwise."""

import contextlib
import time

from torch import _C
from torch._absent import absent_class
from torch.overrides import TorchFunctionMode, handle_torch_function, has_torch_function
from torch.autograd.profiler_util import EventList, FunctionEvent, shapes_of

# The profilers that are recording, the innermost one last.
_running = []


class record_function(contextlib.ContextDecorator):
    """A name for what runs inside."""

    def __init__(self, name, args=None):
        self.name = name
        self.args = args
        self._events = []

    def __enter__(self):
        self._events.append(_running[-1]._begin(self.name, []) if _running else None)
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        event = self._events.pop()
        if event is not None:
            event._recorder._end(event)


# What `torch.ops.profiler` has: names that begin and end by two calls, which a handle connects.
_begun = {}


def _record_function_enter(name, args=None):
    import torch

    begun = record_function(name, args)
    begun.__enter__()
    handle = torch.empty(1)
    _begun[id(handle)] = begun, handle
    return handle


def _record_function_exit(handle):
    import torch

    if not isinstance(handle, torch.Tensor) and has_torch_function((handle,)):
        return handle_torch_function(_record_function_exit, (handle,), handle)
    begun = _begun.pop(id(handle), None)
    if begun is None:
        raise RuntimeError("_record_function_exit: no such handle")
    begun[0].__exit__(None, None, None)


for _function in (_record_function_enter, _record_function_exit):
    _function.__module__ = "torch.ops.profiler"


class _Recorder(TorchFunctionMode):
    """The calls between two moments."""

    def __init__(self, record_shapes=False):
        self.record_shapes = record_shapes
        self.events = []
        self._open = []

    def _begin(self, name, shapes):
        parent = self._open[-1] if self._open else None
        event = FunctionEvent(name, time.perf_counter_ns(), shapes, parent)
        event._recorder = self
        self.events.append(event)
        self._open.append(event)
        return event

    def _end(self, event):
        event.end = time.perf_counter_ns()
        if event in self._open:
            del self._open[self._open.index(event):]

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        plain = name.strip("_") if name.startswith("__") else name
        if not plain or plain in _NO_OPERATIONS:
            return func(*args, **kwargs)
        event = self._begin("aten::" + plain, shapes_of(args) if self.record_shapes else [])
        try:
            return func(*args, **kwargs)
        finally:
            self._end(event)


# Attributes and questions.
_NO_OPERATIONS = (
    "get", "set", "len", "repr", "str", "format", "hash", "bool", "size", "dim", "stride", "numel", "is_floating_point",
    "is_complex", "backward", "data_ptr", "register_hook", "requires_grad_", "deepcopy", "reduce_ex", "iter",
)


class profile:
    def __init__(
        self, enabled=True, *, use_cuda=False, use_device=None, record_shapes=False, with_flops=False,
        profile_memory=False, with_stack=False, with_modules=False, use_kineto=False, use_cpu=True,
        experimental_config=None, acc_events=False, custom_trace_id_callback=None, post_processing_timeout_s=None,
    ):
        self.enabled = enabled
        self.record_shapes = record_shapes
        self.profile_memory = profile_memory
        self._recorder = None
        self._found = None

    def _start(self):
        self._recorder = _Recorder(self.record_shapes)
        _running.append(self._recorder)
        self._recorder.__enter__()

    def _stop(self):
        self._recorder.__exit__(None, None, None)
        _running.remove(self._recorder)
        now = time.perf_counter_ns()
        for event in self._recorder.events:
            if event.end is None:
                event.end = now
        self._found = EventList(self._recorder.events)
        self._recorder = None

    def __enter__(self):
        if self.enabled:
            self._start()
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        if self._recorder is not None:
            self._stop()
        return False

    def _check_finish(self):
        if self._found is None:
            raise RuntimeError("Profiler didn't finish running")

    @property
    def function_events(self):
        return self._found

    def table(self, *args, **kwargs):
        self._check_finish()
        return self._found.table(*args, **kwargs)

    def key_averages(self, group_by_input_shape=False, group_by_stack_n=0, group_by_overload_name=False):
        self._check_finish()
        return self._found.key_averages(group_by_input_shape, group_by_stack_n, group_by_overload_name)

    def total_average(self):
        self._check_finish()
        return self._found.total_average()

    @property
    def self_cpu_time_total(self):
        self._check_finish()
        return self._found.self_cpu_time_total

    def export_chrome_trace(self, path):
        self._check_finish()
        self._found.export_chrome_trace(path)

    def __repr__(self):
        return "<unfinished torch.autograd.profile>" if self._found is None else repr(self._found)

    def __str__(self):
        return "<unfinished torch.autograd.profile>" if self._found is None else str(self._found)


emit_itt = absent_class("torch.autograd.profiler", "emit_itt")
emit_nvtx = absent_class("torch.autograd.profiler", "emit_nvtx")


def __getattr__(name):
    return _C._missing_name("torch.autograd.profiler", name)

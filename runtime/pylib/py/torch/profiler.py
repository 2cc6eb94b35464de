"""torch.profiler: names for parts of a program; measuring is left to janus-jit itself."""

import enum

from _refused import absent
from torch import _C
from torch.autograd import profiler as _profiler
from torch.autograd.profiler import record_function


class ProfilerActivity(enum.Enum):
    CPU = 0
    XPU = 1
    CUDA = 2
    MTIA = 3


class ProfilerAction(enum.Enum):
    """What is to be done in a step."""

    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


def schedule(*, wait, warmup, active, repeat=0, skip_first=0, skip_first_wait=0):
    """The action of each step: some are waited for, some warm up, some are recorded, again and again."""
    if wait < 0 or warmup < 0 or active <= 0 or repeat < 0 or skip_first < 0:
        raise AssertionError("Invalid profiler schedule arguments")

    def action(step):
        if step < 0:
            raise AssertionError(f"Step must be non-negative. Got {step}.")
        step -= skip_first
        if step < 0:
            return ProfilerAction.NONE
        if skip_first_wait:
            step += wait
        round_, place = divmod(step, wait + warmup + active)
        if repeat > 0 and round_ >= repeat or place < wait:
            return ProfilerAction.NONE
        if place < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD if place < wait + warmup + active - 1 else ProfilerAction.RECORD_AND_SAVE

    return action


def kineto_available():
    """Whether there is the library that PyTorch's profiler measures with."""
    return False


def supported_activities():
    return {ProfilerActivity.CPU}


def tensorboard_trace_handler(dir_name, worker_name=None, use_gzip=False):
    """What a profiler is told to do with its traces: each becomes a file of a folder."""

    def handler(prof):
        import os
        import socket
        import time

        os.makedirs(dir_name, exist_ok=True)
        name = worker_name or f"{socket.gethostname()}_{os.getpid()}"
        path = os.path.join(dir_name, f"{name}.{time.time_ns()}.pt.trace.json")
        prof.export_chrome_trace(path + ".gz" if use_gzip else path)

    return handler


def _always(step):
    return ProfilerAction.RECORD


class profile(_profiler.profile):
    """A profiler with steps: `schedule` says which are recorded, and `on_trace_ready` gets what was."""

    def __init__(
        self, *, activities=None, schedule=None, on_trace_ready=None, record_shapes=False, profile_memory=False,
        with_stack=False, with_flops=False, with_modules=False, experimental_config=None, execution_trace_observer=None,
        acc_events=False, use_cuda=None, custom_trace_id_callback=None, post_processing_timeout_s=None,
    ):
        super().__init__(True, record_shapes=record_shapes, profile_memory=profile_memory)
        self.activities = set(activities) if activities else supported_activities()
        self.schedule = schedule or _always
        self._has_steps = schedule is not None
        self.on_trace_ready = on_trace_ready
        self.step_num = 0
        self.current_action = self.schedule(0)
        self._step = None
        self._metadata = {}

    def _is_recording(self):
        return self.current_action in (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)

    def _begin_step(self):
        if self._has_steps:
            self._step = _profiler.record_function(f"ProfilerStep#{self.step_num}")
            self._step.__enter__()

    def _end_step(self):
        if self._step is not None:
            self._step.__exit__(None, None, None)
            self._step = None

    def _ready(self):
        self._stop()
        if self.on_trace_ready is not None:
            self.on_trace_ready(self)

    def start(self):
        if self._is_recording():
            self._start()
        self._begin_step()

    def stop(self):
        self._end_step()
        if self._recorder is not None:
            self._ready()

    def step(self):
        self._end_step()
        before = self.current_action
        self.step_num += 1
        self.current_action = self.schedule(self.step_num)
        if before == ProfilerAction.RECORD_AND_SAVE:
            self._ready()
        if self._is_recording() and self._recorder is None:
            self._start()
        self._begin_step()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        self.stop()
        return False

    def events(self):
        self._check_finish()
        return self._found

    def add_metadata(self, key, value):
        self._metadata[key] = value

    add_metadata_json = add_metadata

    def export_chrome_trace(self, path):
        if not path.endswith(".gz"):
            super().export_chrome_trace(path)
            return
        import gzip
        import os
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            plain = os.path.join(folder, "trace.json")
            super().export_chrome_trace(plain)
            with open(plain, "rb") as file, gzip.open(path, "wb") as packed:
                packed.write(file.read())

    def export_stacks(self, path, metric="self_cpu_time_total"):
        raise absent("torch.profiler.profile", "export_stacks")


def __getattr__(name):
    return _C._missing_name("torch.profiler", name)

"""Streams and events of the CUDA device. Work is done when a call returns: all streams are in order, and all events have been."""

import time

import torch
from torch import _C


class Stream:
    """An order of work; here there is one, that of the calls."""

    def __init__(self, device=None, priority=0, **kwargs):
        _C._check_device("cuda" if device is None else device)
        self.device = torch.device("cuda", 0)
        self.device_index, self.device_type, self.priority = 0, 1, priority
        self.stream_id = self.cuda_stream = 0 if kwargs.get("default") else id(self)

    def query(self):
        return True

    def synchronize(self):
        """All is done."""

    def wait_event(self, event):
        """It has been."""

    def wait_stream(self, stream):
        """All of it is done."""

    def record_event(self, event=None):
        event = Event() if event is None else event
        event.record(self)
        return event

    @staticmethod
    def priority_range():
        return 0, -5

    def __enter__(self):
        self._context = StreamContext(self)
        self._context.__enter__()
        return self

    def __exit__(self, *exception):
        return self._context.__exit__(*exception)

    def __eq__(self, other):
        return isinstance(other, Stream) and self.cuda_stream == other.cuda_stream

    def __hash__(self):
        return hash((self.cuda_stream, self.device))

    def __repr__(self):
        return f"<torch.cuda.Stream device={self.device} cuda_stream={self.cuda_stream:#x}>"


class ExternalStream(Stream):
    """A stream of another library."""

    def __init__(self, stream_ptr, device=None, **kwargs):
        super().__init__(device, **kwargs)
        self.stream_id = self.cuda_stream = stream_ptr


class Event:
    """A moment among the calls."""

    def __init__(self, enable_timing=False, blocking=False, interprocess=False, external=False):
        _C._check_device("cuda")
        for name, asked in (("interprocess", interprocess), ("external", external)):
            if asked:
                raise NotImplementedError(f"torch.cuda.Event({name}=True) is not implemented in janus-jit yet")
        self._timed = enable_timing
        self._moment = None

    @property
    def device(self):
        return None if self._moment is None else torch.device("cuda", 0)

    def record(self, stream=None):
        self._moment = time.perf_counter_ns()

    def query(self):
        return True

    def synchronize(self):
        """It has been."""

    def wait(self, stream=None):
        """It has been."""

    def elapsed_time(self, end_event):
        """Milliseconds between two moments."""
        if not (self._timed and end_event._timed):
            raise ValueError("Both events must be created with argument 'enable_timing=True'.")
        if self._moment is None or end_event._moment is None:
            raise ValueError("Both events must be recorded before calculating elapsed time.")
        return (end_event._moment - self._moment) / 1e6

    def __repr__(self):
        return "<torch.cuda.Event uninitialized>" if self._moment is None else f"<torch.cuda.Event {self._moment:#x}>"


_default = _current = None


def default_stream(device=None):
    global _default
    _C._check_device("cuda" if device is None else device)
    if _default is None:
        _default = Stream(default=True)
    return _default


def current_stream(device=None):
    default = default_stream(device)
    return default if _current is None else _current


def set_stream(stream):
    global _current
    if stream is not None:
        _C._check_device("cuda")
        _current = stream


class StreamContext:
    """A context in which work goes to a stream."""

    def __init__(self, stream):
        self.stream = stream

    def __enter__(self):
        if self.stream is not None:
            self._before = current_stream()
            set_stream(self.stream)

    def __exit__(self, type, value, traceback):
        if self.stream is not None:
            set_stream(self._before)
        return False


def stream(stream):
    return StreamContext(stream)

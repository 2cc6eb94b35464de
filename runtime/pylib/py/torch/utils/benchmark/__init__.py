"""torch.utils.benchmark: how long a statement takes."""

import statistics
import timeit as _timeit

from torch import _C

_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))


def select_unit(t):
    """The largest unit in which a time is at least one, and its name."""
    for scale, name in _UNITS:
        if t >= scale:
            return name, scale
    return "ns", 1e-9


class Measurement:
    """Times of some runs of a statement, each of many at once."""

    def __init__(self, number_per_run, raw_times, task_spec, metadata=None):
        self.number_per_run = number_per_run
        self.raw_times = raw_times
        self.task_spec = task_spec
        self.metadata = metadata

    @property
    def times(self):
        return [t / self.number_per_run for t in self.raw_times]

    @property
    def median(self):
        return statistics.median(self.times)

    @property
    def mean(self):
        return statistics.fmean(self.times)

    @property
    def iqr(self):
        ordered = sorted(self.times)
        if len(ordered) < 2:
            return 0.0
        low, _, high = statistics.quantiles(ordered, n=4, method="inclusive")
        return high - low

    def __getattr__(self, name):
        spec = self.__dict__.get("task_spec") or {}
        if name in spec:
            return spec[name]
        raise AttributeError(f"'Measurement' object has no attribute '{name}'")

    def __repr__(self):
        lines = [object.__repr__(self)]
        title = self.task_spec["label"] or self.task_spec["stmt"]
        lines.append(title + (": " + self.task_spec["sub_label"] if self.task_spec["sub_label"] else ""))
        if self.task_spec["description"]:
            lines.append(self.task_spec["description"])
        if self.task_spec["setup"] != "pass":
            lines.append("setup: " + self.task_spec["setup"])
        unit, scale = select_unit(self.median)
        if len(self.raw_times) == 1:
            lines.append(f"  {self.median / scale:.2f} {unit}")
        else:
            lines.append(f"  Median: {self.median / scale:.2f} {unit}")
            lines.append(f"  IQR:    {self.iqr / scale:.2f} {unit}")
        runs = len(self.raw_times)
        per_run = f"{self.number_per_run} run{'s' if self.number_per_run > 1 else ''} per measurement"
        lines.append(f"  {runs} measurement{'s' if runs > 1 else ''}, {per_run} , {self.task_spec['num_threads']} thread"
                     + ("s" if self.task_spec["num_threads"] > 1 else ""))
        return "\n".join(lines)

    @staticmethod
    def merge(measurements):
        measurements = list(measurements)
        first = measurements[0]
        times = [t for m in measurements for t in m.times]
        return [Measurement(1, times, first.task_spec, first.metadata)]


class Timer:
    def __init__(
        self, stmt="pass", setup="pass", global_setup="", timer=_timeit.default_timer, globals=None, label=None,
        sub_label=None, description=None, env=None, num_threads=1, language="python",
    ):
        if language not in ("python", "py", 0) or global_setup:
            raise NotImplementedError("torch.utils.benchmark.Timer of C++ is not implemented in janus-jit yet")
        self._timer = _timeit.Timer(stmt, setup, timer, dict(globals or {}))
        self._clock = timer
        self._spec = {
            "stmt": stmt, "setup": setup, "label": label, "sub_label": sub_label, "description": description, "env": env,
            "num_threads": num_threads,
        }

    def timeit(self, number=1000000):
        # The first runs warm up.
        self._timer.timeit(max(number // 100, 2))
        return Measurement(number, [self._timer.timeit(number)], self._spec)

    def repeat(self, repeat=-1, number=-1):
        raise NotImplementedError("See `Timer.blocked_autorange.`")

    def autorange(self, callback=None):
        raise NotImplementedError("See `Timer.blocked_autorange.`")

    def _block(self, least):
        number = 1
        while True:
            taken = self._timer.timeit(number)
            if taken >= least:
                return number
            number *= 10

    def _until(self, number, least, enough):
        times, total = [], 0.0
        while total < least or not enough(times):
            taken = self._timer.timeit(number)
            times.append(taken)
            total += taken
        return Measurement(number, times, self._spec)

    def blocked_autorange(self, callback=None, min_run_time=0.2):
        number = self._block(min_run_time / 1000)
        found = self._until(number, min_run_time, lambda times: True)
        if callback is not None:
            for t in found.raw_times:
                callback(number, t)
        return found

    def adaptive_autorange(self, threshold=0.1, *, min_run_time=0.01, max_run_time=10.0, callback=None):
        number = self._block(min_run_time / 1000)
        start = self._clock()

        def enough(times):
            if callback is not None and times:
                callback(number, times[-1])
            if self._clock() - start > max_run_time:
                return True
            if len(times) < 4:
                return False
            found = Measurement(number, times, self._spec)
            return found.iqr / found.median < threshold

        return self._until(number, min_run_time, enough)


def __getattr__(name):
    return _C._missing_name("torch.utils.benchmark", name)

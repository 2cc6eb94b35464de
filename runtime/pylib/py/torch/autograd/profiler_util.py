"""What a profiler found: events, their sums by name, and tables of them."""

import json

import torch


def shapes_of(args):
    """The shapes of the arguments, empty ones for what has none."""
    return [list(a.shape) if isinstance(a, torch.Tensor) else [] for a in args]


def _format_time(us, unit=None):
    if unit is not None:
        return f"{us / {'s': 1e6, 'ms': 1e3, 'us': 1.0}[unit]:.3f}{unit}"
    if us >= 1e6:
        return f"{us / 1e6:.3f}s"
    if us >= 1e3:
        return f"{us / 1e3:.3f}ms"
    return f"{us:.3f}us"


def _format_share(part, whole):
    return "NaN" if whole == 0 else f"{part * 100.0 / whole:.2f}%"


class _Times:
    """Times in microseconds. There is no device beside the CPU."""

    device_time_total = self_device_time_total = cuda_time_total = self_cuda_time_total = 0
    cpu_memory_usage = self_cpu_memory_usage = device_memory_usage = self_device_memory_usage = 0
    flops = 0
    is_async = is_remote = False

    @property
    def cpu_time(self):
        return 0.0 if self.count == 0 else 1.0 * self.cpu_time_total / self.count

    device_time = cuda_time = 0.0

    @property
    def cpu_time_total_str(self):
        return _format_time(self.cpu_time_total)

    @property
    def self_cpu_time_total_str(self):
        return _format_time(self.self_cpu_time_total)

    @property
    def cpu_time_str(self):
        return _format_time(self.cpu_time)


class FunctionEvent(_Times):
    count = 1

    def __init__(self, name, start, input_shapes, parent):
        self.name = self.key = name
        self.start = start
        self.end = None
        self.input_shapes = input_shapes
        self.cpu_parent = parent
        self.cpu_children = []
        if parent is not None:
            parent.cpu_children.append(self)

    @property
    def cpu_time_total(self):
        return (self.end - self.start) / 1000.0

    @property
    def self_cpu_time_total(self):
        return self.cpu_time_total - sum([child.cpu_time_total for child in self.cpu_children])

    def __repr__(self):
        return (
            f"<FunctionEvent name={self.name} cpu_time={self.cpu_time_str} input_shapes={self.input_shapes}>"
        )


class FunctionEventAvg(_Times):
    """The sum of the events of one name."""

    def __init__(self, key=None, input_shapes=None):
        self.key = key
        self.count = 0
        self.cpu_time_total = 0
        self.self_cpu_time_total = 0
        self.input_shapes = input_shapes
        self.cpu_parent = None
        self.cpu_children = []

    def add(self, other):
        self.count += other.count
        self.self_cpu_time_total += other.self_cpu_time_total
        # A function that calls itself counts once.
        outer = getattr(other, "cpu_parent", None)
        while outer is not None and outer.key != other.key:
            outer = outer.cpu_parent
        if outer is None:
            self.cpu_time_total += other.cpu_time_total
        return self

    def __repr__(self):
        return (
            f"<FunctionEventAvg key={self.key} self_cpu_time={self.self_cpu_time_total_str} "
            f"cpu_time={self.cpu_time_str} input_shapes={self.input_shapes!s}>"
        )


_SORTS = (
    "cpu_time", "cuda_time", "xpu_time", "cpu_time_total", "cuda_time_total", "xpu_time_total", "cpu_memory_usage",
    "cuda_memory_usage", "xpu_memory_usage", "self_cpu_memory_usage", "self_cuda_memory_usage", "self_xpu_memory_usage",
    "count", "self_cpu_time_total", "self_cuda_time_total", "self_xpu_time_total", "device_time", "device_time_total",
    "self_device_time_total",
)


class EventList(list):
    def table(
        self, sort_by=None, row_limit=100, max_src_column_width=75, max_name_column_width=55, max_shapes_column_width=80,
        header=None, top_level_events_only=False, time_unit=None,
    ):
        if sort_by is not None and sort_by not in _SORTS:
            raise AttributeError(f"'FunctionEventAvg' object has no attribute '{sort_by}'")
        events = list(self)
        if sort_by is not None:
            events.sort(key=lambda event: getattr(event, sort_by, 0), reverse=True)
        if time_unit not in (None, "s", "ms", "us"):
            raise ValueError(f"invalid time_unit: {time_unit}")
        whole = sum([event.self_cpu_time_total for event in events])
        names = [event.key for event in events]
        width = min(max([len(name) for name in names] + [4]) + 4, max_name_column_width)
        with_shapes = any([event.input_shapes for event in events])
        columns = ["Name", "Self CPU %", "Self CPU", "CPU total %", "CPU total", "CPU time avg", "# of Calls"]
        widths = [width] + [12, 12, 12, 12, 12, 12]
        if with_shapes:
            columns.append("Input Shapes")
            widths.append(min(max([len(str(event.input_shapes)) for event in events] + [12]) + 4, max_shapes_column_width))
        widths = [max(w, 14) if i else w for i, w in enumerate(widths)]
        line = "  ".join(["-" * w for w in widths]) + "  "
        lines = []
        if header is not None:
            lines += ["=" * len(line), header]
        if top_level_events_only:
            lines += ["=" * len(line), "This report only display top-level ops statistics"]
        lines += [line, "  ".join([c.rjust(w) for c, w in zip(columns, widths)]) + "  ", line]
        shown = 0
        for event in events:
            if shown == row_limit:
                break
            if top_level_events_only and event.cpu_parent is not None:
                continue
            shown += 1
            name = event.key
            if len(name) >= max_name_column_width - 3:
                name = name[: max_name_column_width - 3] + "..."
            row = [
                name, _format_share(event.self_cpu_time_total, whole), _format_time(event.self_cpu_time_total, time_unit),
                _format_share(event.cpu_time_total, whole), _format_time(event.cpu_time_total, time_unit),
                _format_time(event.cpu_time, time_unit), str(event.count),
            ]
            if with_shapes:
                row.append(str(event.input_shapes)[:max_shapes_column_width])
            lines.append("  ".join([c.rjust(w) for c, w in zip(row, widths)]) + "  ")
        lines += [line, f"Self CPU time total: {_format_time(whole)}", ""]
        return "\n".join(lines)

    def __str__(self):
        return self.table()

    def key_averages(self, group_by_input_shapes=False, group_by_stack_n=0, group_by_overload_name=False):
        if group_by_stack_n or group_by_overload_name:
            raise NotImplementedError("key_averages() by stacks or overloads is not implemented in janus-jit yet")
        found = {}
        for event in self:
            shapes = str(event.input_shapes) if group_by_input_shapes else ""
            if (event.key, shapes) not in found:
                found[event.key, shapes] = FunctionEventAvg(event.key, event.input_shapes if group_by_input_shapes else None)
            found[event.key, shapes].add(event)
        return EventList(found.values())

    def total_average(self):
        total = FunctionEventAvg("Total")
        for event in self:
            total.add(event)
        return total

    @property
    def self_cpu_time_total(self):
        return sum([event.self_cpu_time_total for event in self])

    def export_chrome_trace(self, path):
        begin = min([event.start for event in self], default=0)
        events = [
            {
                "ph": "X", "cat": "cpu_op" if event.name.startswith("aten::") else "user_annotation", "name": event.name,
                "pid": 0, "tid": 0, "ts": (event.start - begin) / 1000.0, "dur": event.cpu_time_total,
                "args": {"Input Dims": event.input_shapes} if event.input_shapes else {},
            }
            for event in self
        ]
        with open(path, "w") as file:
            json.dump({"schemaVersion": 1, "traceEvents": events, "displayTimeUnit": "ms"}, file)


def __getattr__(name):
    return torch._C._missing_name("torch.autograd.profiler_util", name)

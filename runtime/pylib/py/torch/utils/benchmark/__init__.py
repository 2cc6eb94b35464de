"""torch.utils.benchmark: how long a statement takes."""

import math
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
        groups = {}
        for m in measurements:
            groups.setdefault(tuple(m.task_spec.items()), []).append(m)
        merged = []
        for group in groups.values():
            counts = {m.number_per_run for m in group}
            one = counts.pop() if len(counts) == 1 else 1
            times = [t for m in group for t in (m.raw_times if one != 1 or m.number_per_run == 1 else m.times)]
            merged.append(Measurement(one, times, group[0].task_spec, None))
        return merged


    @property
    def title(self):
        label, sub = self.task_spec["label"], self.task_spec["sub_label"]
        return (label if label is not None else self.task_spec["stmt"]) + (f": {sub}" if sub else "")

    @property
    def as_row_name(self):
        return self.task_spec["sub_label"] or self.task_spec["stmt"] or "[Unknown]"

    @property
    def has_warnings(self):
        return self.iqr / self.median > 0.1

    @property
    def significant_figures(self):
        """How many digits the times between the quartiles let one trust."""
        ordered = sorted(self.times)
        inner = ordered[len(ordered) // 4 : math.ceil(3 * len(ordered) / 4)]
        error = max(1.645 * statistics.pstdev(inner) / math.sqrt(len(inner)), 25e-9)
        digits = math.floor(math.log10(self.median / error))
        return min(max(digits, 1), 4)


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


_ENGLISH = {"ns": "nanosecond", "us": "microsecond", "ms": "millisecond", "s": "second"}
_COLORS = {"best": "\033[92m\033[1m", "good": "\033[34m\033[1m", "bad": "\033[2m\033[91m", "very bad": "\033[31m\033[1m"}


class Compare:
    """Measurements as tables: a row for each statement, a column for each description."""

    def __init__(self, results):
        self._results = []
        self.extend_results(results)
        self._trims = self._highlights = False
        self._by = None

    def extend_results(self, results):
        for r in results:
            if not isinstance(r, Measurement):
                raise ValueError(f"Expected an instance of `Measurement`, got {type(r)} instead.")
        self._results.extend(results)

    def trim_significant_figures(self):
        self._trims = True

    def colorize(self, rowwise=False):
        self._by = "rows" if rowwise else "columns"

    def highlight_warnings(self):
        self._highlights = True

    def print(self):
        print(str(self))

    def __str__(self):
        groups = {}
        for r in Measurement.merge(self._results):
            groups.setdefault(r.label, []).append(r)
        return "\n".join([self._table(group) for group in groups.values()])

    def _cells(self, column, scale):
        """The texts of a column; all are aligned at their points."""
        there = [r for r in column if r is not None]
        leading = {id(r): math.ceil(math.log10(r.median / scale)) for r in there}
        decimals = min([max(r.significant_figures - leading[id(r)], 0) for r in there]) if self._trims else 1
        width = max(leading.values()) + decimals + (1 if decimals else 0)
        warns = self._highlights and any([r.has_warnings for r in there])
        texts = []
        for r in column:
            if r is None:
                texts.append(" " * (max(width, 1 + decimals + (1 if decimals else 0)) + (7 if warns else 0)))
                continue
            value = r.median / scale
            if self._trims and value > 0:
                unit = 10 ** (math.floor(math.log10(value)) + 1 - r.significant_figures)
                value = round(value / unit) * unit
            note = f" (! {r.iqr / r.median * 100:.0f}%)" if warns and r.has_warnings else ""
            texts.append(f"{value:>{max(width, 0)}.{decimals}f}{note:>{7 if warns else 0}}")
        return texts

    def _colored(self, text, value, best):
        if value <= best * 1.01 or value <= best + 100e-9:
            kind = "best"
        elif value <= best * 1.1:
            kind = "good"
        elif value >= best * 5:
            kind = "very bad"
        elif value >= best * 2:
            kind = "bad"
        else:
            return text
        return _COLORS[kind] + text + "\033[0m\033[0m"

    def _table(self, results):
        unit, scale = select_unit(min([r.median for r in results]))
        rows = list(dict.fromkeys([(r.num_threads, r.env, r.as_row_name) for r in results]))
        rows.sort(key=lambda row: (row[0], row[1] or ""))
        columns = list(dict.fromkeys([r.description for r in results]))
        found = {((r.num_threads, r.env, r.as_row_name), r.description): r for r in results}
        grid = [[found.get((row, column)) for column in columns] for row in rows]
        texts = [self._cells([line[k] for line in grid], scale) for k in range(len(columns))]
        several = len({r.env for r in results}) > 1
        names = []
        before = None
        for threads, env, name in rows:
            shown = f"({env})" if several and (threads, env) != before else ""
            names.append("  " + (shown.ljust(max([len(str(r.env)) for r in results]) + 4) if several else "    ") + name)
            before = (threads, env)
        header = [""] + [column or "" for column in columns]
        strings = [header] + [[name] + [column[i] for column in texts] for i, name in enumerate(names)]
        widths = [max([len(cell) for cell in column]) for column in zip(*strings)]
        lines = ["  |  ".join([cell.center(width) for cell, width in zip(header, widths)])]
        overall = len(lines[0])
        threads = None
        for i, cells in enumerate(strings[1:]):
            if rows[i][0] != threads:
                threads = rows[i][0]
                lines.append(f"{threads} threads: ".ljust(overall, "-"))
            shown = [cells[0].ljust(widths[0])]
            for k, (cell, width) in enumerate(zip(cells[1:], widths[1:])):
                text = cell.center(width)
                r = grid[i][k]
                if self._by is not None and r is not None:
                    others = grid[i] if self._by == "rows" else [
                        line[k] for line, row in zip(grid, rows) if row[0] == threads
                    ]
                    text = self._colored(text, r.median, min([o.median for o in others if o is not None]))
                shown.append(text)
            lines.append("  |  ".join(shown))
        title = (" " + (results[0].label or "") + " ").center(overall - 2, "-")
        note = ""
        if self._highlights and any([r.has_warnings for r in results]):
            note = "(! XX%) Measurement has high variance, where XX is the IQR / median * 100.\n"
        return f"[{title}]\n" + "\n".join(lines) + f"\n\nTimes are in {_ENGLISH[unit]}s ({unit}).\n{note}"


def __getattr__(name):
    return _C._missing_name("torch.utils.benchmark", name)

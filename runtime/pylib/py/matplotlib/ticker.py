"""Where ticks are, and what they say."""

import math

import numpy as np

from matplotlib import _rc


class _Of:
    axis = None

    def set_axis(self, axis):
        self.axis = axis


class Locator(_Of):
    def __call__(self):
        return self.tick_values(*self.axis.get_view_interval())

    def view_limits(self, vmin, vmax):
        return vmin, vmax


class NullLocator(Locator):
    def tick_values(self, vmin, vmax):
        return np.array([])


class FixedLocator(Locator):
    def __init__(self, locs, nbins=None):
        self.locs = np.asarray(locs, dtype=float).reshape(-1)
        self.nbins = None if nbins is None else max(nbins, 2)

    def tick_values(self, vmin, vmax):
        if self.nbins is None:
            return self.locs
        return self.locs[:: max(math.ceil(len(self.locs) / self.nbins), 1)]


class MultipleLocator(Locator):
    def __init__(self, base=1.0, offset=0.0):
        self._base, self._offset = base, offset

    def tick_values(self, vmin, vmax):
        vmin, vmax = sorted((vmin, vmax))
        first = math.floor((vmin - self._offset) / self._base + 1e-10) * self._base
        if first < vmin - self._offset - 1e-10 * self._base:
            first += self._base
        count = int((vmax - self._offset - first + 0.001 * self._base) // self._base)
        return np.array([first - self._base + i * self._base + self._offset for i in range(count + 3)])


class LinearLocator(Locator):
    def __init__(self, numticks=None):
        self.numticks = 11 if numticks is None else numticks

    def tick_values(self, vmin, vmax):
        return np.linspace(vmin, vmax, self.numticks)


class MaxNLocator(Locator):
    """At most so many intervals, of a length that reads well."""

    def __init__(self, nbins=10, *, integer=False, steps=None, prune=None, min_n_ticks=2):
        if prune not in (None, "lower", "upper", "both"):
            raise ValueError("prune must be 'upper', 'lower', 'both', or None")
        self._nbins, self._integer, self._prune, self._few = nbins, integer, prune, max(1, min_n_ticks)
        steps = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10] if steps is None else list(steps)
        steps = ([] if steps[0] == 1 else [1]) + steps + ([] if steps[-1] == 10 else [10])
        self._steps = [s / 10 for s in steps[:-1]] + steps + [10 * steps[1]]

    def tick_values(self, vmin, vmax):
        if vmin > vmax:
            vmin, vmax = vmax, vmin
        if vmax - vmin <= max(abs(vmin), abs(vmax)) * 1e-13:
            spread = 1e-13 if vmin == vmax == 0 else 1e-13 * max(abs(vmin), abs(vmax))
            vmin, vmax = vmin - spread, vmax + spread
        bins = self._nbins
        if bins == "auto":
            room = self.axis._tick_space() if self.axis is not None else 9
            bins = min(max(room, max(1, self._few - 1)), 9)
        middle, span = (vmax + vmin) / 2, vmax - vmin
        # Far from zero the ticks are counted from a round number.
        offset = math.copysign(10 ** (math.log10(abs(middle)) // 1), middle) if abs(middle) / span >= 100 else 0.0
        scale = 10 ** (math.log10(span / bins) // 1)
        low, high = vmin - offset, vmax - offset
        steps = [s * scale for s in self._steps]
        if self._integer:
            steps = [s for s in steps if s < 1 or abs(s - round(s)) < 0.001]
        enough = next((i for i, s in enumerate(steps) if s >= span / bins), len(steps) - 1)
        ticks = []
        for step in reversed(steps[: enough + 1]):
            if self._integer and math.floor(high) - math.ceil(low) >= self._few - 1:
                step = max(1, step)
            start = low // step * step
            ticks = [i * step + start for i in range(_floor(low - start, step, offset), _ceil(high - start, step, offset) + 1)]
            if sum(low <= t <= high for t in ticks) >= self._few:
                break
        ticks = [t + offset for t in ticks]
        if self._prune in ("lower", "both"):
            ticks = ticks[1:]
        if self._prune in ("upper", "both"):
            ticks = ticks[:-1]
        return np.array(ticks)


def _tolerance(step, offset):
    return min(0.4999, max(1e-10, 10 ** (math.log10(abs(offset) / step) - 12))) if offset else 1e-10


def _floor(x, step, offset):
    n, rest = divmod(x, step)
    return int(n) + (abs(rest / step - 1) < _tolerance(step, offset))


def _ceil(x, step, offset):
    n, rest = divmod(x, step)
    return int(n) + (abs(rest / step) >= _tolerance(step, offset))


class AutoLocator(MaxNLocator):
    def __init__(self):
        super().__init__("auto", steps=[1, 2, 2.5, 5, 10])


class LogLocator(Locator):
    def __init__(self, base=10.0, subs=(1.0,), *, numticks=None):
        self._base, self._subs, self._count = float(base), tuple(subs), numticks

    def tick_values(self, vmin, vmax):
        room = self._count
        if room is None:
            room = min(max(self.axis._tick_space(), 2), 9) if self.axis is not None else 9
        if vmin <= 0:
            raise ValueError("Data has no positive values, and therefore cannot be log-scaled.")
        low, high = sorted((math.log(vmin, self._base), math.log(vmax, self._base)))
        decades = math.floor(high) - math.ceil(low)
        stride = max(1, math.ceil(decades / room + 1e-9) if decades + 1 > room else 1)
        if len(self._subs) > 1 and stride > 1:
            return np.array([vmin] * 0)
        first = math.floor(low)
        powers = range(first - stride, math.ceil(high) + 2 * stride, stride)
        return np.array([sub * self._base**p for p in powers for sub in self._subs])


class Formatter(_Of):
    locs = ()

    def format_ticks(self, values):
        self.locs = values
        return [self(value, i) for i, value in enumerate(values)]

    def get_offset(self):
        return ""


class NullFormatter(Formatter):
    def __call__(self, x, pos=None):
        return ""


class FixedFormatter(Formatter):
    def __init__(self, seq):
        self.seq = list(seq)

    def __call__(self, x, pos=None):
        return self.seq[pos] if pos is not None and pos < len(self.seq) else ""


class FuncFormatter(Formatter):
    def __init__(self, func):
        self.func = func

    def __call__(self, x, pos=None):
        return self.func(x, pos)


class FormatStrFormatter(Formatter):
    def __init__(self, fmt):
        self.fmt = fmt

    def __call__(self, x, pos=None):
        return self.fmt % x


class StrMethodFormatter(Formatter):
    def __init__(self, fmt):
        self.fmt = fmt

    def __call__(self, x, pos=None):
        return self.fmt.format(x=x, pos=pos)


class PercentFormatter(Formatter):
    def __init__(self, xmax=100, decimals=None, symbol="%"):
        self.xmax, self.decimals, self.symbol = xmax, decimals, symbol

    def __call__(self, x, pos=None):
        value = 100.0 * x / self.xmax
        decimals = self.decimals
        if decimals is None:
            span = 100.0 * abs(self.axis.get_view_interval()[1] - self.axis.get_view_interval()[0]) / self.xmax
            decimals = min(max(math.ceil(2.0 - math.log10(2.0 * span)), 0), 5) if span > 0 else 0
        return f"{value:0.{int(decimals)}f}{self.symbol}"


class ScalarFormatter(Formatter):
    """As many digits as tell ticks apart; a power of ten of all, and an offset, stand beside the axis."""

    def __init__(self, useOffset=True, useMathText=False):
        if useMathText:
            raise NotImplementedError("ScalarFormatter(): argument 'useMathText' is not implemented in janus-jit yet")
        self._use_offset, self._power, self._digits, self._shift = useOffset, 0, 0, 0.0
        self._limits, self._scientific = (-5, 6), True

    def set_scientific(self, b):
        self._scientific = bool(b)

    def set_powerlimits(self, lims):
        self._limits = tuple(lims)

    def set_useOffset(self, val):
        self._use_offset = val

    def format_ticks(self, values):
        self.locs = values
        low, high = sorted(self.axis.get_view_interval()) if self.axis is not None else (min(values), max(values))
        seen = [v for v in values if low <= v <= high]
        self._power, self._digits, self._shift = 0, 0, 0.0
        if seen:
            self._choose(seen, low, high)
        return [self(value, i) for i, value in enumerate(values)]

    def _offset_of(self, seen):
        low, high = min(seen), max(seen)
        if self._use_offset is not True:
            return float(self._use_offset or 0.0)
        if low == high or low <= 0 <= high:
            return 0.0
        small, large = sorted((abs(low), abs(high)))
        sign = math.copysign(1, low)
        most = math.ceil(math.log10(large))
        power = next(p for p in range(most, -400, -1) if small // 10**p != large // 10**p)
        shared = 1 + power
        if (large - small) / 10**shared <= 1e-2:
            shared = 1 + next(p for p in range(most, -400, -1) if large // 10**p - small // 10**p > 1)
        return sign * (large // 10**shared) * 10**shared if large // 10**shared >= 10**3 else 0.0

    def _choose(self, seen, low, high):
        self._shift = self._offset_of(seen)
        shifted = [v - self._shift for v in seen]
        size = max(map(abs, shifted))
        if self._scientific and self._limits[0] != self._limits[1]:
            span = abs(high - low)
            if self._shift:
                power = math.floor(math.log10(span)) if span else 0
            else:
                power = 0 if size == 0 else math.floor(math.log10(size))
            self._power = power if power <= self._limits[0] or power >= self._limits[1] else 0
        elif self._scientific:
            self._power = self._limits[0]
        scaled = [v / 10.0**self._power for v in [*shifted, low - self._shift, high - self._shift]] if len(seen) < 2 else [
            v / 10.0**self._power for v in shifted
        ]
        span = max(scaled) - min(scaled) or max(map(abs, scaled)) or 1.0
        power = math.floor(math.log10(span))
        digits = max(0, 3 - power)
        close = 1e-3 * 10.0**power
        while digits >= 0 and max(abs(v - round(v, digits)) for v in scaled) < close:
            digits -= 1
        self._digits = digits + 1

    def __call__(self, x, pos=None):
        value = (x - self._shift) / 10.0**self._power
        if abs(value) < 1e-8:
            value = 0.0
        return f"{value:1.{self._digits}f}".replace("-", "−")

    def get_offset(self):
        text = f"1e{self._power}" if self._power else ""
        if self._shift:
            text += ("+" if self._shift > 0 else "") + f"{self._shift:g}"
        return text.replace("-", "−")


class LogFormatterSciNotation(Formatter):
    def __init__(self, base=10.0):
        self._base = base

    def __call__(self, x, pos=None):
        if x <= 0:
            return "0"
        power = math.log(x, self._base)
        if abs(power - round(power)) > 1e-9:
            return ""
        base = f"{self._base:g}"
        return f"$\\mathdefault{{{base}^{{{round(power)}}}}}$"

    def drawn(self, x):
        text = self(x)
        return text.replace("\\mathdefault", "\\mathrm")


def size_of(side):
    return _rc.size(_rc.rcParams[f"{side}tick.labelsize"])

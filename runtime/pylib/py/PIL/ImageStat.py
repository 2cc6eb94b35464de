"""Numbers about the pixels of a picture, a band each."""

import math

from PIL._util import missing


class Stat:
    def __init__(self, image_or_list, mask=None):
        if isinstance(image_or_list, list):
            self.h = image_or_list
        else:
            self.h = image_or_list.histogram(mask)
        if not isinstance(self.h, list):
            raise TypeError("first argument must be image or list")
        self.bands = list(range(len(self.h) // 256))

    def _rows(self):
        return [self.h[i : i + 256] for i in range(0, len(self.h), 256)]

    @property
    def count(self):
        return [sum(row) for row in self._rows()]

    @property
    def sum(self):
        return [math.fsum(i * n for i, n in enumerate(row)) for row in self._rows()]

    @property
    def sum2(self):
        return [math.fsum(i * i * n for i, n in enumerate(row)) for row in self._rows()]

    @property
    def mean(self):
        return [s / n if n else 0 for s, n in zip(self.sum, self.count)]

    @property
    def rms(self):
        return [math.sqrt(s / n) if n else 0 for s, n in zip(self.sum2, self.count)]

    @property
    def var(self):
        parts = zip(self.sum, self.sum2, self.count)
        return [(s2 - s**2.0 / n) / n if n else 0 for s, s2, n in parts]

    @property
    def stddev(self):
        return [math.sqrt(v) for v in self.var]

    @property
    def extrema(self):
        found = []
        for row in self._rows():
            there = [i for i, n in enumerate(row) if n]
            found.append((there[0], there[-1]) if there else (255, 0))
        return found

    @property
    def median(self):
        found = []
        for row, count in zip(self._rows(), self.count):
            seen = 0
            for i, n in enumerate(row):
                seen += n
                if seen > count // 2:
                    break
            found.append(i)
        return found

    def __getattr__(self, name):
        raise missing(f"ImageStat.Stat.{name}") if name.startswith("_get") else AttributeError(name)

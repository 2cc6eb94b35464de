"""Several artists that are one thing."""


class Container(tuple):
    def __new__(cls, items, *_, **__):
        return tuple.__new__(cls, items)

    def __init__(self, items, label=None):
        self._label = label

    def get_label(self):
        return self._label

    def set_label(self, s):
        self._label = s

    def get_children(self):
        return [x for x in self if x is not None]

    def remove(self):
        for item in self:
            for one in item if isinstance(item, (tuple, list)) else [item]:
                if one is not None:
                    one.remove()


class BarContainer(Container):
    def __init__(self, patches, errorbar=None, *, datavalues=None, orientation=None, label=None):
        super().__init__(patches, label)
        self.patches = list(patches)
        self.errorbar, self.datavalues, self.orientation = errorbar, datavalues, orientation

    def __repr__(self):
        return f"<BarContainer object of {len(self)} artists>"

    def _draw_sample(self, canvas, **kwargs):
        if self.patches:
            self.patches[0]._draw_sample(canvas, **kwargs)


class ErrorbarContainer(Container):
    def __init__(self, lines, has_xerr=False, has_yerr=False, label=None):
        super().__init__(lines, label)
        self.lines, self.has_xerr, self.has_yerr = lines, has_xerr, has_yerr

    def _draw_sample(self, canvas, x0, x1, y, size):
        line, _, bars = self.lines
        for bar in bars:
            paint = bar._paints()[1][0]
            middle = (x0 + x1) / 2
            canvas.path("ML", [middle, y - size / 2, middle, y + size / 2], None, paint)
        if line is not None:
            line._draw_sample(canvas, x0, x1, y, size)


class StemContainer(Container):
    def __init__(self, items, label=None):
        super().__init__(items, label)
        self.markerline, self.stemlines, self.baseline = items

    def _draw_sample(self, canvas, **kwargs):
        self.markerline._draw_sample(canvas, **kwargs)

"""Where axes are in a figure."""


class SubplotParams:
    def __init__(self, left=None, bottom=None, right=None, top=None, wspace=None, hspace=None):
        from matplotlib._rc import rcParams

        for name in ("left", "bottom", "right", "top", "wspace", "hspace"):
            setattr(self, name, rcParams["figure.subplot." + name])
        self.update(left, bottom, right, top, wspace, hspace)

    def update(self, left=None, bottom=None, right=None, top=None, wspace=None, hspace=None):
        new = {"left": left, "bottom": bottom, "right": right, "top": top, "wspace": wspace, "hspace": hspace}
        new = {k: getattr(self, k) if v is None else v for k, v in new.items()}
        if new["left"] >= new["right"]:
            raise ValueError("left cannot be >= right")
        if new["bottom"] >= new["top"]:
            raise ValueError("bottom cannot be >= top")
        self.__dict__.update(new)


class GridSpec:
    def __init__(
        self,
        nrows,
        ncols,
        figure=None,
        *,
        left=None,
        bottom=None,
        right=None,
        top=None,
        wspace=None,
        hspace=None,
        width_ratios=None,
        height_ratios=None,
    ):
        for value, name in ((nrows, "rows"), (ncols, "columns")):
            if not isinstance(value, int) or value <= 0:
                raise ValueError(f"Number of {name} must be a positive integer, not {value!r}")
        self.nrows, self.ncols, self.figure = nrows, ncols, figure
        self._own = {"left": left, "bottom": bottom, "right": right, "top": top, "wspace": wspace, "hspace": hspace}
        self._widths = [1] * ncols if width_ratios is None else list(width_ratios)
        self._heights = [1] * nrows if height_ratios is None else list(height_ratios)
        if len(self._widths) != ncols:
            raise ValueError("Expected the given number of width ratios to match the number of columns of the grid")
        if len(self._heights) != nrows:
            raise ValueError("Expected the given number of height ratios to match the number of rows of the grid")

    def update(self, **kwargs):
        for key, value in kwargs.items():
            if key not in self._own:
                raise AttributeError(f"{key} is an unknown keyword")
            self._own[key] = value

    def get_geometry(self):
        return self.nrows, self.ncols

    def _index(self, key, count):
        if isinstance(key, slice):
            start, stop, _ = key.indices(count)
            if stop <= start:
                raise IndexError("GridSpec slice would result in no space allocated for subplot")
            return start, stop
        if not -count <= key < count:
            raise IndexError(f"index {key} is out of bounds for axis 0 with size {count}")
        return key % count, key % count + 1

    def __getitem__(self, key):
        if isinstance(key, tuple):
            if len(key) != 2:
                raise ValueError("Unrecognized subplot spec")
            return SubplotSpec(self, self._index(key[0], self.nrows), self._index(key[1], self.ncols))
        first, last = self._index(key, self.nrows * self.ncols)
        rows, columns = divmod(first, self.ncols), divmod(last - 1, self.ncols)
        low, high = sorted((rows[1], columns[1]))
        return SubplotSpec(self, (rows[0], columns[0] + 1), (low, high + 1))

    def _params(self, figure):
        params = figure.subplotpars
        return {k: getattr(params, k) if v is None else v for k, v in self._own.items()}

    def _area(self, figure):
        p = self._params(figure)
        return p["left"], p["bottom"], p["right"], p["top"], p["wspace"], p["hspace"]

    def cells(self, figure):
        """Left and right ends of columns, upper and lower ends of rows."""
        left, bottom, right, top, wspace, hspace = self._area(figure)
        wide = (right - left) / (self.ncols + wspace * (self.ncols - 1))
        tall = (top - bottom) / (self.nrows + hspace * (self.nrows - 1))
        widths = [wide * self.ncols * r / sum(self._widths) for r in self._widths]
        heights = [tall * self.nrows * r / sum(self._heights) for r in self._heights]
        columns, at = [], left
        for w in widths:
            columns.append((at, at + w))
            at += w + wspace * wide
        rows, at = [], top
        for h in heights:
            rows.append((at, at - h))
            at -= h + hspace * tall
        return columns, rows


class GridSpecFromSubplotSpec(GridSpec):
    def __init__(self, nrows, ncols, subplot_spec, wspace=None, hspace=None, height_ratios=None, width_ratios=None):
        super().__init__(
            nrows, ncols, wspace=wspace, hspace=hspace, width_ratios=width_ratios, height_ratios=height_ratios
        )
        self._outer = subplot_spec

    def _area(self, figure):
        x, y, w, h = self._outer.place(figure)
        p = self._params(figure)
        return x, y, x + w, y + h, p["wspace"], p["hspace"]


class SubplotSpec:
    def __init__(self, grid, rows, columns):
        self.grid, self.rows, self.columns = grid, rows, columns

    def place(self, figure):
        columns, rows = self.grid.cells(figure)
        x0, x1 = columns[self.columns[0]][0], columns[self.columns[1] - 1][1]
        y1, y0 = rows[self.rows[0]][0], rows[self.rows[1] - 1][1]
        return x0, y0, x1 - x0, y1 - y0

    def get_gridspec(self):
        return self.grid

    def is_first_row(self):
        return self.rows[0] == 0

    def is_last_row(self):
        return self.rows[1] == self.grid.nrows

    def is_first_col(self):
        return self.columns[0] == 0

    def is_last_col(self):
        return self.columns[1] == self.grid.ncols

    def subgridspec(self, nrows, ncols, **kwargs):
        return GridSpecFromSubplotSpec(nrows, ncols, self, **kwargs)

"""Histograms, boxes, pies, images, contours."""

import math

import numpy as np

from matplotlib import _rc
from matplotlib.artist import data
from matplotlib.cm import range_norm
from matplotlib.collections import QuadMesh
from matplotlib.image import AxesImage
from matplotlib.patches import Rectangle, StepPatch, Wedge


def _sets(x):
    """Several data sets of a histogram."""
    array = None
    if not isinstance(x, (list, tuple)) or not len(x) or np.ndim(x[0]) == 0:
        array = data(x)
    elif hasattr(x[0], "__len__"):
        return [np.asarray(data(v)).reshape(-1) for v in x], True
    if array is None or array.ndim < 2:
        return [np.asarray(array if array is not None else data(x)).reshape(-1)], False
    return [array[:, i] for i in range(array.shape[1])], True


class Kinds:
    def hist(
        self,
        x,
        bins=None,
        *,
        range=None,
        density=False,
        weights=None,
        cumulative=False,
        bottom=None,
        histtype="bar",
        align="mid",
        orientation="vertical",
        rwidth=None,
        log=False,
        color=None,
        label=None,
        stacked=False,
        data=None,
        **kwargs,
    ):
        for value, known, name in (
            (histtype, ("bar", "barstacked", "step", "stepfilled"), "histtype"),
            (align, ("left", "mid", "right"), "align"),
            (orientation, ("horizontal", "vertical"), "orientation"),
        ):
            if value not in known:
                raise ValueError(f"{value!r} is not a valid value for {name}; supported values are {', '.join(map(repr, known))}")
        if data is not None:
            x = data[x]
        sets, several = _sets(x)
        stacked = stacked or histtype == "barstacked"
        if weights is None:
            weights = [None] * len(sets)
        else:
            weights = _sets(weights)[0]
            if [len(w) for w in weights] != [len(s) for s in sets]:
                raise ValueError("weights should have the same shape as x")
        bins = _rc.rcParams["hist.bins"] if bins is None else bins
        if len(sets) > 1 or range is None:
            full = np.concatenate(sets) if len(sets) > 1 else sets[0]
            bins = np.histogram(full[~np.isnan(full)] if full.dtype.kind == "f" else full, bins, range=range)[1]
        counts = []
        for values, weight in zip(sets, weights):
            found, bins = np.histogram(values, bins, range=range, weights=weight, density=density and not stacked)
            counts.append(np.asarray(found, dtype=float))
        bins = np.asarray(bins, dtype=float)
        if stacked:
            counts = [np.asarray(row) for row in np.cumsum(np.array([c.tolist() for c in counts]), axis=0)]
            if density:
                area = float((counts[-1] * np.diff(bins)).sum())
                counts = [c / area for c in counts]
        if cumulative:
            width = np.diff(bins) if density else np.ones(len(bins) - 1)
            back = -1 if not isinstance(cumulative, bool) and cumulative < 0 else 1
            counts = [(np.asarray(c) * width)[::back].cumsum()[::back] for c in counts]
        labels = [None] * len(sets) if label is None else [label] if isinstance(label, str) else list(label)
        labels += [None] * (len(sets) - len(labels))
        if color is None:
            colors = [self._next_color("line") for _ in sets]
        else:
            from matplotlib._plots import _each

            colors = _each(color)
            if len(colors) != len(sets):
                raise ValueError(f"The 'color' keyword argument must have one color per dataset, but {len(sets)} datasets and {len(colors)} colors were provided")
        draw = self._hist_bars if histtype.startswith("bar") else self._hist_steps
        look = {"align": align, "orientation": orientation, "rwidth": rwidth, "log": log, "stacked": stacked}
        patches = draw(counts, bins, bottom, histtype, colors, labels, look, kwargs)
        if several and len(sets) > 1:
            return np.array([c.tolist() for c in counts]), bins, patches
        return counts[0], bins, patches[0]

    def _hist_bars(self, counts, bins, bottom, histtype, colors, labels, look, kwargs):
        widths = np.diff(bins)
        n = len(counts)
        if look["rwidth"] is not None:
            share = min(max(look["rwidth"], 0), 1)
        else:
            share = 0.8 if n > 1 and not look["stacked"] else 1.0
        if look["stacked"] or n == 1:
            width, first, step = share * widths, 0.0 * widths, 0.0
        else:
            width = share * widths / n
            first, step = -0.5 * width * (n - 1), width
        middle = np.asarray(bins[:-1]) + {"left": 0.0, "mid": 0.5, "right": 1.0}[look["align"]] * widths
        found, below = [], None
        for i, count in enumerate(counts):
            base = bottom if below is None else below
            lengths = count if below is None else count - below
            method = self.bar if look["orientation"] == "vertical" else self.barh
            at = middle + first + i * step
            given = {"bottom" if look["orientation"] == "vertical" else "left": base}
            found.append(method(at, lengths, width, align="center", color=colors[i], log=look["log"], label=labels[i] or "", **given, **kwargs))
            below = count if look["stacked"] else None
        return found

    def _hist_steps(self, counts, bins, bottom, histtype, colors, labels, look, kwargs):
        bins = np.asarray(bins, dtype=float).tolist()
        base = 0.0 if bottom is None else float(np.min(bottom))
        if look["log"]:
            self._set_scale("y" if look["orientation"] == "vertical" else "x", "log", {})
        found = []
        for i, count in enumerate(counts):
            xs, ys = [bins[0]], [base]
            for j, c in enumerate(count.tolist()):
                xs += [bins[j], bins[j + 1]]
                ys += [c + base, c + base]
            xs.append(bins[-1])
            ys.append(base)
            if look["orientation"] == "horizontal":
                xs, ys = ys, xs
            filled = histtype == "stepfilled"
            patch = StepPatch(xs, ys, filled, fill=filled)
            props = patch._normal(kwargs)
            own = {"facecolor": colors[i]} if filled else {"edgecolor": colors[i]}
            patch.set(**{**own, "label": labels[i] or "", **props})
            found.append([self.add_artist(patch)])
            self._sticky["y" if look["orientation"] == "vertical" else "x"].append(base)
        return found

    def hist2d(self, x, y, bins=10, *, range=None, density=False, weights=None, cmin=None, cmax=None, **kwargs):
        if cmin is not None or cmax is not None:
            raise NotImplementedError("hist2d(): arguments 'cmin', 'cmax' are not implemented in janus-jit yet")
        if weights is not None:
            raise NotImplementedError("hist2d(): argument 'weights' is not implemented in janus-jit yet")
        xs, ys = np.asarray(data(x), dtype=float), np.asarray(data(y), dtype=float)
        each = bins if isinstance(bins, (list, tuple)) and len(bins) == 2 else (bins, bins)
        ranges = (None, None) if range is None else range
        edges = [np.histogram(v, b, range=r)[1] for v, b, r in zip((xs, ys), each, ranges)]
        at = []
        for v, e in zip((xs, ys), edges):
            i = np.searchsorted(e, v, side="right") - 1
            at.append(np.where(v == e[-1], len(e) - 2, i))
        inside = (at[0] >= 0) & (at[0] < len(edges[0]) - 1) & (at[1] >= 0) & (at[1] < len(edges[1]) - 1)
        shape = (len(edges[0]) - 1, len(edges[1]) - 1)
        flat = np.bincount((at[0] * shape[1] + at[1])[inside], minlength=shape[0] * shape[1])
        counts = flat.astype(float).reshape(shape)
        if density:
            area = np.diff(edges[0]).reshape(-1, 1) * np.diff(edges[1]).reshape(1, -1)
            counts = counts / area / counts.sum()
        return counts, *edges, self.pcolormesh(edges[0], edges[1], counts.T, **kwargs)

    def boxplot(
        self,
        x,
        notch=None,
        sym=None,
        vert=None,
        whis=1.5,
        positions=None,
        widths=None,
        patch_artist=None,
        *,
        showmeans=None,
        showfliers=None,
        labels=None,
        tick_labels=None,
        boxprops=None,
        medianprops=None,
        whiskerprops=None,
        capprops=None,
        flierprops=None,
        meanprops=None,
        **kwargs,
    ):
        if notch or kwargs:
            name = "notch" if notch else next(iter(kwargs))
            raise NotImplementedError(f"boxplot(): argument '{name}' is not implemented in janus-jit yet")
        sets = _sets(x)[0]
        upright = vert is not False
        positions = list(np.arange(1, len(sets) + 1)) if positions is None else list(positions)
        if len(positions) != len(sets):
            raise ValueError(f"List of boxplot statistics and `positions` values must have same the length")
        span = max(positions) - min(positions)
        width = [min(max(0.15 * span, 0.15), 0.5)] if widths is None else np.atleast_1d(widths).tolist()
        found = {name: [] for name in ("whiskers", "caps", "boxes", "medians", "fliers", "means")}

        def line(name, xs, ys, default, props):
            if not upright:
                xs, ys = ys, xs
            one = self._lines_of([xs, ys], None, {**default, **(props or {}), "label": "_nolegend_"})[0]
            found[name].append(self.add_artist(one))

        black = {"color": "black", "linewidth": 1.0}
        for i, (values, p) in enumerate(zip(sets, positions)):
            values = np.asarray(values, dtype=float)
            w = width[i % len(width)] / 2
            q1, middle, q3 = (float(v) for v in np.percentile(values, [25, 50, 75]))
            if np.iterable(whis):
                low, high = (float(v) for v in np.percentile(values, whis))
            else:
                low, high = q1 - whis * (q3 - q1), q3 + whis * (q3 - q1)
            inside = values[(values >= low) & (values <= high)]
            bottom, top = min(float(inside.min()), q1), max(float(inside.max()), q3)
            if patch_artist:
                rect = (p - w, q1, 2 * w, q3 - q1) if upright else (q1, p - w, q3 - q1, 2 * w)
                box = Rectangle(rect[:2], *rect[2:], facecolor="C0", edgecolor="black", **(boxprops or {}))
                found["boxes"].append(self.add_artist(box))
            else:
                line("boxes", [p - w, p + w, p + w, p - w, p - w], [q1, q1, q3, q3, q1], black, boxprops)
            for a, b in ((q1, bottom), (q3, top)):
                line("whiskers", [p, p], [a, b], black, whiskerprops)
                line("caps", [p - w / 2, p + w / 2], [b, b], black, capprops)
            line("medians", [p - w, p + w], [middle, middle], {"color": "C1", "linewidth": 1.0}, medianprops)
            if showmeans:
                look = {"linestyle": "None", "marker": "^", "color": "C2"}
                line("means", [p], [float(values.mean())], look, meanprops)
            if showfliers is not False and sym != "":
                out = values[(values < bottom) | (values > top)].tolist()
                mark = {"marker": "o", "markerfacecolor": "none", "markeredgecolor": "black", "linestyle": "None", "color": "black"}
                if sym:
                    from matplotlib.lines import parse_format

                    _, marker, color = parse_format(sym)
                    mark.update(marker=marker or "o", **({"color": color, "markeredgecolor": color, "markerfacecolor": color} if color else {}))
                line("fliers", [p] * len(out), out, mark, flierprops)
        names = tick_labels if tick_labels is not None else labels
        axis, side = (self.xaxis, "x") if upright else (self.yaxis, "y")
        axis.set_ticks(positions, [str(p) for p in positions] if names is None else names)
        axis._range, self._autoscale_on[side] = (min(positions) - 0.5, max(positions) + 0.5), False
        return found

    def pie(
        self,
        x,
        explode=None,
        labels=None,
        colors=None,
        autopct=None,
        pctdistance=0.6,
        shadow=False,
        labeldistance=1.1,
        startangle=0,
        radius=1,
        counterclock=True,
        wedgeprops=None,
        textprops=None,
        center=(0, 0),
        frame=False,
        rotatelabels=False,
        *,
        normalize=True,
    ):
        if shadow or rotatelabels:
            raise NotImplementedError("pie(): arguments 'shadow', 'rotatelabels' are not implemented in janus-jit yet")
        values = np.asarray(data(x), dtype=float)
        if values.ndim > 1:
            raise ValueError("x must be 1D")
        if (values < 0).any():
            raise ValueError("Wedge sizes 'x' must be non negative values")
        total = float(values.sum())
        shares = (values / values.sum() if normalize else values).tolist()
        if not normalize and total > 1:
            raise ValueError("Cannot plot an unnormalized pie with sum(x) > 1")
        count = len(shares)
        labels = [""] * count if labels is None else list(labels)
        explode = [0] * count if explode is None else list(explode)
        if len(labels) != count:
            raise ValueError("'label' must be of length 'x'")
        if len(explode) != count:
            raise ValueError("'explode' must be of length 'x'")
        wedges, texts, percents = [], [], []
        at = startangle / 360
        for i, share in enumerate(shares):
            end = at + share if counterclock else at - share
            middle = 2 * math.pi * (at + end) / 2
            cx, cy = center[0] + explode[i] * math.cos(middle), center[1] + explode[i] * math.sin(middle)
            color = colors[i % len(colors)] if colors is not None else self._next_color("patch")
            wedge = Wedge((cx, cy), radius, 360 * min(at, end), 360 * max(at, end), facecolor=color)
            wedge.set(label=labels[i] or f"_wedge{i}", **(wedgeprops or {}))
            wedge.set_clip_on(False)
            wedges.append(self.add_artist(wedge))
            if labeldistance is not None:
                tx, ty = cx + labeldistance * radius * math.cos(middle), cy + labeldistance * radius * math.sin(middle)
                look = {"ha": "left" if tx > 0 else "right", "va": "center", **(textprops or {})}
                texts.append(self.text(tx, ty, labels[i], **look))
            if autopct is not None:
                words = autopct % (100 * share) if isinstance(autopct, str) else autopct(100 * share)
                tx, ty = cx + pctdistance * radius * math.cos(middle), cy + pctdistance * radius * math.sin(middle)
                percents.append(self.text(tx, ty, words, **{"ha": "center", "va": "center", **(textprops or {})}))
            at = end
        self.set_aspect("equal")
        if not frame:
            self.set_axis_off()
            self.set_xlim(-1.25 * radius + center[0], 1.25 * radius + center[0])
            self.set_ylim(-1.25 * radius + center[1], 1.25 * radius + center[1])
        return (wedges, texts) if autopct is None else (wedges, texts, percents)

    # Images.

    def imshow(
        self,
        X,
        cmap=None,
        norm=None,
        *,
        aspect=None,
        interpolation=None,
        alpha=None,
        vmin=None,
        vmax=None,
        origin=None,
        extent=None,
        **kwargs,
    ):
        image = AxesImage(self, cmap=cmap, norm=range_norm(norm, vmin, vmax), interpolation=interpolation, origin=origin, extent=extent)
        image.set_data(X)
        image.set(alpha=alpha, **kwargs)
        if image._A.ndim == 2:
            image.autoscale_None()
        self.set_aspect(_rc.rcParams["image.aspect"] if aspect is None else aspect)
        self.add_artist(image)
        x0, x1, y0, y1 = image.get_extent()
        for side, ends in (("x", (x0, x1)), ("y", (y0, y1))):
            if self._autoscale_on[side]:
                self._sticky[side] += ends
                self._axis(side)._inverted = ends[0] > ends[1]
        self.figure._current_image = self._current_image = image
        return image

    def matshow(self, Z, **kwargs):
        image = self.imshow(Z, **{"origin": "upper", "interpolation": "nearest", "aspect": "equal", **kwargs})
        from matplotlib.ticker import MaxNLocator

        self.xaxis.tick_top()
        for axis in (self.xaxis, self.yaxis):
            axis.set_major_locator(MaxNLocator(9, steps=[1, 2, 5, 10], integer=True))
        return image

    def pcolormesh(self, *args, alpha=None, norm=None, cmap=None, vmin=None, vmax=None, shading=None, **kwargs):
        values = np.asarray(data(args[-1]), dtype=float)
        rows, columns = values.shape
        if len(args) == 1:
            xs, ys = np.arange(columns + 1) * 1.0, np.arange(rows + 1) * 1.0
        else:
            xs, ys = (np.asarray(data(v), dtype=float) for v in args[:2])
        if xs.ndim == 1:
            xs, ys = np.meshgrid(xs, ys)
        shading = shading or "auto"
        if shading not in ("auto", "flat", "nearest"):
            raise NotImplementedError(f"pcolormesh(): shading={shading!r} is not implemented in janus-jit yet")
        if shading != "flat" and tuple(xs.shape) == (rows, columns):
            xs, ys = _edges(xs, 1), _edges(ys, 0)
            xs, ys = _edges(xs, 0), _edges(ys, 1)
        if tuple(xs.shape) != (rows + 1, columns + 1):
            raise TypeError(
                f"Dimensions of C {(rows, columns)} should be one smaller than X({xs.shape[1]}) and Y({xs.shape[0]})"
                " while using shading='flat' see help(pcolormesh)"
            )
        mesh = QuadMesh(xs, ys, values, norm=range_norm(norm, vmin, vmax), cmap=cmap)
        mesh.set(alpha=alpha, **kwargs)
        mesh.autoscale_None()
        self._sticky["x"] += [float(xs.min()), float(xs.max())]
        self._sticky["y"] += [float(ys.min()), float(ys.max())]
        self.figure._current_image = self._current_image = mesh
        return self.add_artist(mesh)

    def pcolor(self, *args, **kwargs):
        return self.pcolormesh(*args, **kwargs)

    # Contours.

    def contour(self, *args, **kwargs):
        from matplotlib.contour import QuadContourSet

        return QuadContourSet(self, args, False, **kwargs)

    def contourf(self, *args, **kwargs):
        from matplotlib.contour import QuadContourSet

        return QuadContourSet(self, args, True, **kwargs)

    def clabel(self, CS, levels=None, **kwargs):
        return CS.clabel(levels, **kwargs)

    def quiver(self, *args, **kwargs):
        raise NotImplementedError("quiver() is not implemented in janus-jit yet")

    def streamplot(self, *args, **kwargs):
        raise NotImplementedError("streamplot() is not implemented in janus-jit yet")

    def violinplot(self, *args, **kwargs):
        raise NotImplementedError("violinplot() is not implemented in janus-jit yet")

    def hexbin(self, *args, **kwargs):
        raise NotImplementedError("hexbin() is not implemented in janus-jit yet")

    def table(self, *args, **kwargs):
        raise NotImplementedError("table() is not implemented in janus-jit yet")


def _edges(points, axis):
    """Borders half-way between points, along an axis."""
    if axis == 0:
        return _edges(points.T, 1).T
    if points.shape[1] == 1:
        return np.concatenate([points - 0.5, points + 0.5], axis=1)
    half = np.diff(points, axis=1) * 0.5
    return np.concatenate([points[:, :1] - half[:, :1], points[:, :-1] + half, points[:, -1:] + half[:, -1:]], axis=1)

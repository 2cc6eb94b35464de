"""Lines of text, with TeX's powers, indices and letters between dollars."""

import math
import re

import _draw

from matplotlib import _rc
from matplotlib._canvas import box_steps
from matplotlib.artist import Artist, Transform, stroke
from matplotlib.colors import to_rgba

_LETTERS = "alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ mu μ nu ν xi ξ"
_LETTERS += " pi π rho ρ sigma σ tau τ upsilon υ phi ϕ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π"
_LETTERS += " Sigma Σ Phi Φ Psi Ψ Omega Ω times × cdot ⋅ pm ± leq ≤ geq ≥ neq ≠ approx ≈ infty ∞ sum ∑ prod ∏ int ∫ partial ∂"
_LETTERS += " nabla ∇ in ∈ to → rightarrow → leftarrow ← sim ∼ propto ∝ circ ∘ degree ° ldots … dots … ell ℓ hbar ℏ sqrt √ quad \u2003"
_LETTERS = dict(zip(_LETTERS.split(" ")[::2], _LETTERS.split(" ")[1::2]))
_FONTS = ("mathrm", "text", "mathbf", "mathit", "mathcal", "rm", "bf", "it", "left", "right", "textbf", "displaystyle", "operatorname")
_NAMES = ("log", "exp", "sin", "cos", "tan", "min", "max", "arg", "lim", "ln", "tanh")


def _formula(text):
    """Runs of a formula: text, how large, how far up, font."""
    runs = []

    def read(at, scale, rise, font, stop):
        while at < len(text):
            c = text[at]
            if c == stop:
                return at + 1
            if c in "^_":
                sign = 0.4 if c == "^" else -0.2
                inner = (scale * 0.7, rise + sign * scale, font)
                if text[at + 1 : at + 2] == "{":
                    at = read(at + 2, *inner, "}")
                elif text[at + 1 : at + 2] == "\\":
                    at = command(at + 1, *inner)
                else:
                    runs.append((text[at + 1 : at + 2], *inner))
                    at += 2
            elif c == "{":
                at = read(at + 1, scale, rise, font, "}")
            elif c == "\\":
                at = command(at, scale, rise, font)
            elif c == " ":
                at += 1
            else:
                slanted = "oblique" if c.isalpha() and c.isascii() and font == "oblique" else "regular"
                runs.append((c.replace("-", "−"), scale, rise, font if font == "bold" else slanted))
                at += 1
        return at

    def command(at, scale, rise, font):
        name = re.match(r"[A-Za-z]+|.", text[at + 1 :])
        if name is None:
            return at + 1
        word, at = name.group(), at + 1 + name.end()
        if word in _FONTS:
            font = "bold" if "bf" in word else "oblique" if word.endswith("it") else "regular"
            if text[at : at + 1] == "{":
                return read(at + 1, scale, rise, font, "}")
        elif word in _LETTERS:
            runs.append((_LETTERS[word], scale, rise, "regular"))
        elif word in _NAMES:
            runs.append((word, scale, rise, "regular"))
        elif not word[0].isalpha():
            runs.append((" " if word in ",;:! " else word, scale, rise, "regular"))
        else:
            raise ValueError(f"Unknown symbol: \\{word}, found in a formula, or one that is not implemented in janus-jit yet")
        return at

    read(0, 1.0, 0.0, "oblique", None)
    return runs


def runs_of(line, font):
    if line.count("$") - line.count("\\$") < 2:
        return [(line.replace("\\$", "$"), 1.0, 0.0, font)]
    runs = []
    for i, part in enumerate(re.split(r"(?<!\\)\$", line)):
        if part:
            runs += _formula(part) if i % 2 else [(part.replace("\\$", "$"), 1.0, 0.0, font)]
    return runs


def measure_line(line, size, font):
    """Width, ascent and descent in points."""
    width = up = down = 0.0
    for words, scale, rise, face in runs_of(line, font):
        w, a, d = _draw.measure(words, size * scale, face)
        width += w
        up, down = max(up, a + rise * size), max(down, d - rise * size)
    return width, up, down


def measure(text, size, font="regular"):
    """Width and height of all lines, and where the base line of each is below the top."""
    lines = text.split("\n")
    _, tall, deep = measure_line("lp", size, font)
    sizes = [measure_line(line, size, font) for line in lines]
    bases, at = [], 0.0
    for i, (_, up, down) in enumerate(sizes):
        up, down = max(up, tall) if len(lines) > 1 or i else max(up, tall * 0.0), max(down, deep if len(lines) > 1 else 0.0)
        at = up if i == 0 else at + max(tall + deep, up + deep) * 1.2
        bases.append(at)
    return max((w for w, _, _ in sizes), default=0.0), bases[-1] + max(sizes[-1][2], 0.0), bases, [w for w, _, _ in sizes]


class Text(Artist):
    zorder = 3
    _aliases = {
        "c": "color",
        "size": "fontsize",
        "weight": "fontweight",
        "family": "fontfamily",
        "fontname": "fontfamily",
        "name": "fontfamily",
        "style": "fontstyle",
        "ha": "horizontalalignment",
        "va": "verticalalignment",
        "ma": "multialignment",
    }

    def __init__(self, x=0, y=0, text="", **kwargs):
        super().__init__()
        self._x, self._y = x, y
        self._size, self._rotation = None, 0.0
        self._ha, self._va, self._ma = "left", "baseline", None
        self._color_set, self._weight, self._family, self._style = None, None, None, "normal"
        self._bbox, self._spacing = None, 1.2
        self._clip_on = False
        self._rotation_mode = None
        fontdict = kwargs.pop("fontdict", None)
        self.set_text(text)
        given = {**(fontdict or {}), **kwargs}
        for key in given:
            if not hasattr(self, "set_" + self._aliases.get(key, key)):
                raise AttributeError(f"'{type(self).__name__}' object has no property {key!r}")
        self.set(**given)

    def set_text(self, s):
        self._text = "" if s is None else str(s)

    def get_text(self):
        return self._text

    def set_x(self, x):
        self._x = x

    def set_y(self, y):
        self._y = y

    def set_position(self, xy):
        self._x, self._y = xy

    def get_position(self):
        return self._x, self._y

    def set_color(self, color):
        if color is not None:
            to_rgba(color)
        self._color_set = color

    def get_color(self):
        return self._color_set if self._color_set is not None else _rc.rcParams["text.color"]

    def set_fontsize(self, fontsize):
        self._size = None if fontsize is None else _rc.size(fontsize)

    def get_fontsize(self):
        return self._size if self._size is not None else _rc.size(None)

    get_size, set_size = get_fontsize, set_fontsize

    def set_fontweight(self, weight):
        self._weight = weight

    set_weight = set_fontweight

    def get_fontweight(self):
        return self._weight or _rc.rcParams["font.weight"]

    def set_fontfamily(self, fontname):
        if fontname is not None:
            _rc._look_for(fontname)
        self._family = fontname

    def set_fontstyle(self, fontstyle):
        if fontstyle not in ("normal", "italic", "oblique"):
            raise ValueError(f"{fontstyle!r} is not a valid value for style; supported values are 'normal', 'italic', 'oblique'")
        self._style = fontstyle

    set_style = set_fontstyle

    def set_fontproperties(self, fp):
        if fp is not None:
            raise NotImplementedError("fontproperties is not implemented in janus-jit yet")

    def set_rotation(self, s):
        names = {None: 0.0, "horizontal": 0.0, "vertical": 90.0}
        self._rotation = names[s] if s is None or isinstance(s, str) else float(s) % 360

    def get_rotation(self):
        return self._rotation

    def set_rotation_mode(self, m):
        if m not in (None, "default", "anchor"):
            raise ValueError(f"{m!r} is not a valid value for rotation_mode; supported values are 'anchor', 'default'")
        self._rotation_mode = m

    def set_horizontalalignment(self, align):
        if align not in ("center", "right", "left"):
            raise ValueError(f"{align!r} is not a valid value for align; supported values are 'center', 'right', 'left'")
        self._ha = align

    def get_horizontalalignment(self):
        return self._ha

    def set_verticalalignment(self, align):
        if align not in ("top", "bottom", "center", "baseline", "center_baseline"):
            raise ValueError(
                f"{align!r} is not a valid value for align; supported values are 'top', 'bottom', 'center', 'baseline', "
                "'center_baseline'"
            )
        self._va = align

    def get_verticalalignment(self):
        return self._va

    set_ha, set_va = set_horizontalalignment, set_verticalalignment
    get_ha, get_va = get_horizontalalignment, get_verticalalignment

    def set_multialignment(self, align):
        self._ma = align

    def set_linespacing(self, spacing):
        if spacing != 1.2:
            raise NotImplementedError("linespacing is not implemented in janus-jit yet")

    def set_wrap(self, wrap):
        if wrap:
            raise NotImplementedError("wrap=True is not implemented in janus-jit yet")

    def set_backgroundcolor(self, color):
        self._bbox = {**(self._bbox or {}), "facecolor": color, "edgecolor": color}

    def set_bbox(self, rectprops):
        known = ("boxstyle", "facecolor", "fc", "edgecolor", "ec", "alpha", "linewidth", "lw", "pad", "color", "linestyle", "ls")
        for key in rectprops or {}:
            if key not in known:
                raise AttributeError(f"FancyBboxPatch.set() got an unexpected keyword argument {key!r}")
        self._bbox = None if rectprops is None else dict(rectprops)

    def _font(self):
        weight = self._weight or _rc.rcParams["font.weight"]
        heavy = weight >= 600 if isinstance(weight, int) else weight in ("bold", "heavy", "semibold", "demibold", "black", "extra bold", "demi")
        if heavy:
            return "bold"
        if self._style != "normal":
            return "oblique"
        family = str(self._family or _rc.rcParams["font.family"]).lower()
        return "mono" if "mono" in family else "regular"

    def _size_in_points(self):
        return self.get_fontsize()

    def _draw(self, canvas):
        if self._text and self._visible:
            (x,), (y,) = self._map([self._x], [self._y])
            if math.isfinite(x) and math.isfinite(y):
                self._draw_at(canvas, x, y)

    def _corners(self, x, y):
        """Where the box of the text is before it is turned, and around which point."""
        size, font = self._size_in_points(), self._font()
        width, height, bases, widths = measure(self._text, size, font)
        angle = math.radians(self._rotation)
        cos, sin = math.cos(angle), math.sin(angle)
        first = bases[0] if len(bases) == 1 else bases[-1]
        # The corners relative to the base line's beginning (of the last line).
        low, high = first - height, first
        corners = [(0.0, low), (width, low), (width, high), (0.0, high)]
        if self._rotation_mode == "anchor":
            dx = {"left": 0.0, "center": width / 2, "right": width}[self._ha]
            dy = {"bottom": low, "top": high, "center": (low + high) / 2, "baseline": 0.0, "center_baseline": (low + high) / 2}[self._va]
            shift = (-dx * cos + dy * sin, -dx * sin - dy * cos)
        else:
            turned = [(a * cos - b * sin, a * sin + b * cos) for a, b in corners]
            xs, ys = [p[0] for p in turned], [p[1] for p in turned]
            dx = {"left": min(xs), "center": (min(xs) + max(xs)) / 2, "right": max(xs)}[self._ha]
            middle = (min(ys) + max(ys)) / 2
            dy = {"bottom": min(ys), "top": max(ys), "center": middle, "baseline": 0.0, "center_baseline": middle}[self._va]
            if self._va == "baseline" and self._rotation:
                dy = min(ys)
            shift = (-dx, -dy)
        origin = (x + shift[0], y + shift[1])
        placed = [(origin[0] + a * cos - b * sin, origin[1] + a * sin + b * cos) for a, b in corners]
        return placed, origin, (cos, sin), bases, widths, width

    def _box(self, x, y):
        corners = self._corners(x, y)[0]
        xs, ys = [p[0] for p in corners], [p[1] for p in corners]
        return min(xs), min(ys), max(xs), max(ys)

    def _draw_at(self, canvas, x, y):
        corners, origin, (cos, sin), bases, widths, width = self._corners(x, y)
        size, font = self._size_in_points(), self._font()
        color, clip = to_rgba(self.get_color(), self._alpha), self._clip()
        if self._bbox is not None:
            self._draw_box(canvas, corners, (cos, sin), clip)
        if clip is None:
            canvas.grow(*self._box(x, y))
        align = self._ma or self._ha
        for line, base, w in zip(self._text.split("\n"), bases, widths):
            at = {"left": 0.0, "center": (width - w) / 2, "right": width - w}[align]
            up = bases[-1] - base
            for words, scale, rise, face in runs_of(line, font):
                h = up + rise * size
                px, py = origin[0] + at * cos - h * sin, origin[1] + at * sin + h * cos
                canvas.text(words, px, py, size * scale, self._rotation, face, color, clip)
                at += _draw.measure(words, size * scale, face)[0]

    def _draw_box(self, canvas, corners, turn, clip):
        props = self._bbox
        style = props.get("boxstyle", "square")
        pad = props.get("pad", 4 / self._size_in_points() if "boxstyle" not in props else 0.3)
        name, *rest = str(style).split(",")
        for word in rest:
            key, _, value = word.partition("=")
            if key.strip() == "pad":
                pad = float(value)
        if name not in ("square", "round", "round4", "circle"):
            raise NotImplementedError(f"boxstyle={style!r} is not implemented in janus-jit yet")
        pad *= self._size_in_points()
        cos, sin = turn
        points = []
        for (x, y), (a, b) in zip(corners, ((-1, -1), (1, -1), (1, 1), (-1, 1))):
            points += [x + pad * (a * cos - b * sin), y + pad * (a * sin + b * cos)]
        alpha = props.get("alpha")
        both = props.get("color")
        fill = to_rgba(props.get("facecolor", props.get("fc", both or "C0")), alpha)
        edge = to_rgba(props.get("edgecolor", props.get("ec", both or "black")), alpha)
        width = props.get("linewidth", props.get("lw", 1.0))
        line = stroke(edge, width, props.get("linestyle", props.get("ls", "-")), "butt", "round" if name != "square" else "miter")
        canvas.path("MLLLZ", points, fill if fill[3] else None, line, True, clip)

    def get_window_extent(self, renderer=None, dpi=None):
        (x,), (y,) = self._map([self._x], [self._y])
        from matplotlib.transforms import Bbox

        scale = (dpi or self.figure.dpi) / 72 if renderer is None else self.figure.dpi / 72
        return Bbox.from_extents(*(v * scale for v in self._box(x, y)))


class Annotation(Text):
    _arrow_keys = ("arrowstyle", "color", "ec", "fc", "facecolor", "edgecolor", "lw", "linewidth", "alpha", "shrink", "width")
    _arrow_keys += ("headwidth", "headlength", "connectionstyle", "shrinkA", "shrinkB", "ls", "linestyle", "mutation_scale")

    def __init__(self, text, xy, xytext=None, xycoords="data", textcoords=None, arrowprops=None, annotation_clip=None, **kwargs):
        self.xy = xy
        self.xycoords = xycoords
        self.textcoords = xycoords if textcoords is None else textcoords
        self.arrowprops = arrowprops
        if annotation_clip is not None:
            raise NotImplementedError("annotate(): argument 'annotation_clip' is not implemented in janus-jit yet")
        for key in arrowprops or {}:
            if key not in self._arrow_keys:
                raise AttributeError(f"FancyArrowPatch.set() got an unexpected keyword argument {key!r}")
        connection = (arrowprops or {}).get("connectionstyle", "arc3")
        if not str(connection).startswith("arc3"):
            raise NotImplementedError(f"connectionstyle={connection!r} is not implemented in janus-jit yet")
        x, y = xy if xytext is None else xytext
        super().__init__(x, y, text, **kwargs)

    def _point(self, point, coords):
        x, y = point
        if isinstance(coords, tuple):
            return self._point(point, coords[0])[0], self._point(point, coords[1])[1]
        if isinstance(coords, Transform):
            (x,), (y,) = coords.map([x], [y])
        elif coords == "data":
            x, y = self.axes._convert(self.axes.xaxis, [x])[0], self.axes._convert(self.axes.yaxis, [y])[0]
            (x,), (y,) = self.axes.transData.map([x], [y])
        elif coords == "axes fraction":
            (x,), (y,) = self.axes.transAxes.map([x], [y])
        elif coords == "figure fraction":
            (x,), (y,) = self.figure.transFigure.map([x], [y])
        elif coords in ("offset points", "offset pixels"):
            scale = 1.0 if coords == "offset points" else 72 / self.figure.dpi
            a, b = self._point(self.xy, self.xycoords)
            x, y = a + x * scale, b + y * scale
        else:
            raise ValueError(f"{coords!r} is not a valid coordinate, or one that is not implemented in janus-jit yet")
        return x, y

    def _draw(self, canvas):
        if not self._visible:
            return
        x, y = self._point((self._x, self._y), self.textcoords)
        if self.arrowprops is not None:
            self._draw_arrow(canvas, self._box(x, y) if self._text else (x, y, x, y))
        if self._text:
            self._draw_at(canvas, x, y)

    def _draw_arrow(self, canvas, box):
        props = self.arrowprops
        ex, ey = self._point(self.xy, self.xycoords)
        sx, sy = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        length = math.hypot(ex - sx, ey - sy)
        if length == 0:
            return
        ux, uy = (ex - sx) / length, (ey - sy) / length
        # It begins where it leaves the text's box.
        reach = min(
            (half + 2) / abs(u) if u else math.inf for half, u in ((box[2] - sx, ux), (box[3] - sy, uy))
        )
        start = min(reach + props.get("shrinkA", 2.0), length)
        end = length - props.get("shrinkB", 2.0)
        if "shrink" in props:
            start, end = start + length * props["shrink"], length * (1 - props["shrink"])
        if end <= start:
            return
        both = props.get("color")
        alpha = props.get("alpha", self._alpha)
        edge = to_rgba(props.get("edgecolor", props.get("ec", both or "black")), alpha)
        face = to_rgba(props.get("facecolor", props.get("fc", both or "C0")), alpha)
        width = props.get("linewidth", props.get("lw", 1.0))
        style = props.get("arrowstyle")

        def at(along, beside):
            return [sx + ux * along - uy * beside, sy + uy * along + ux * beside]

        if style is None:
            half, head, long = props.get("width", 4) / 2, props.get("headwidth", 12) / 2, props.get("headlength", 12)
            neck = max(end - long, start)
            points = at(start, half) + at(neck, half) + at(neck, head) + at(end, 0) + at(neck, -head) + at(neck, -half) + at(start, -half)
            canvas.path("MLLLLLLZ", points, face, stroke(edge, width, "-", "butt", "miter"))
            return
        name = str(style).split(",")[0]
        if name not in ("->", "-|>", "-", "<-", "<->", "simple", "fancy"):
            raise NotImplementedError(f"arrowstyle={style!r} is not implemented in janus-jit yet")
        scale = props.get("mutation_scale", self._size_in_points()) * 0.4
        line = stroke(edge, width, props.get("linestyle", props.get("ls", "-")), "butt")
        canvas.path("ML", at(start, 0) + at(end, 0), None, line)
        if name in ("->", "<->"):
            canvas.path("MLL", at(end - scale, scale / 2) + at(end, 0) + at(end - scale, -scale / 2), None, line)
        if name in ("<-", "<->"):
            canvas.path("MLL", at(start + scale, scale / 2) + at(start, 0) + at(start + scale, -scale / 2), None, line)
        if name in ("-|>", "simple", "fancy"):
            canvas.path("MLLZ", at(end - scale, scale / 2) + at(end, 0) + at(end - scale, -scale / 2), face, line)


__all__ = ["Annotation", "Text", "box_steps", "measure"]

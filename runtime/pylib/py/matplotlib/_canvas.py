"""What is drawn, in the order in which it is: lists for the native writer."""

import _draw


class Canvas:
    """Collects items. Coordinates are points, y upwards from the lower left corner of the figure."""

    def __init__(self, width, height, origin=(0.0, 0.0)):
        self.width, self.height = width, height
        self._dx, self._dy = -origin[0], height + origin[1]
        self.items = []
        self.box = None

    def _place(self, coordinates):
        dx, dy = self._dx, self._dy
        return [dx + v if i % 2 == 0 else dy - v for i, v in enumerate(coordinates)]

    def _clip(self, clip):
        if clip is None:
            return None
        x0, y0, x1, y1 = clip
        return (x0 + self._dx, self._dy - y1, x1 - x0, y1 - y0)

    def grow(self, x0, y0, x1, y1, clip=None):
        """The box that everything lies in."""
        if clip is not None:
            x0, y0, x1, y1 = max(x0, clip[0]), max(y0, clip[1]), min(x1, clip[2]), min(y1, clip[3])
        # Not so for numbers that are none.
        if x0 <= x1 and y0 <= y1:
            a = self.box or (x0, y0, x1, y1)
            self.box = (min(a[0], x0), min(a[1], y0), max(a[2], x1), max(a[3], y1))

    def _grow_by(self, coordinates, width, clip):
        xs, ys = coordinates[::2], coordinates[1::2]
        if xs:
            self.grow(min(xs) - width, min(ys) - width, max(xs) + width, max(ys) + width, clip)

    def path(self, steps, coordinates, fill=None, stroke=None, smooth=True, clip=None):
        if fill is None and stroke is None:
            return
        self._grow_by(coordinates, stroke[1] / 2 if stroke else 0.0, clip)
        self.items.append(("path", steps, self._place(coordinates), fill, stroke, smooth, self._clip(clip)))

    def marks(self, steps, coordinates, places, scales, fills, strokes, clip=None):
        """One outline (y upwards, too) at many places."""
        reach = max(map(abs, coordinates), default=0.0) * max(scales, default=1.0)
        self._grow_by(places, reach, clip)
        turned = [v if i % 2 == 0 else -v for i, v in enumerate(coordinates)]
        item = ("marks", steps, turned, self._place(places), scales, fills, strokes, self._clip(clip))
        self.items.append(item)

    def text(self, words, x, y, size, degrees, font, color, clip=None):
        self.items.append(("text", words, self._place((x, y)), size, degrees, font, color, self._clip(clip)))

    def image(self, data, columns, rows, box, blocks, clip=None):
        x0, y0, x1, y1 = box
        self.grow(x0, y0, x1, y1, clip)
        place = (x0 + self._dx, self._dy - y1, x1 - x0, y1 - y0)
        self.items.append(("image", data, columns, rows, place, blocks, self._clip(clip)))

    def write(self, kind, dpi):
        return _draw.write(self.width, self.height, self.items, kind, dpi)


def box_steps(x0, y0, x1, y1):
    return "MLLLZ", [x0, y0, x1, y0, x1, y1, x0, y1]


# A quarter of a circle as a curve: how far its control points are away.
_ROUND = 0.5522847498


def ellipse_steps(x, y, a, b):
    p, q = a * _ROUND, b * _ROUND
    return "MCCCCZ", [
        *(x + a, y),
        *(x + a, y + q, x + p, y + b, x, y + b),
        *(x - p, y + b, x - a, y + q, x - a, y),
        *(x - a, y - q, x - p, y - b, x, y - b),
        *(x + p, y - b, x + a, y - q, x + a, y),
    ]

"""Boxes."""

import numpy as np


class Bbox:
    def __init__(self, points):
        self._points = np.asarray(points, dtype=float)

    @classmethod
    def from_extents(cls, x0, y0, x1, y1):
        return cls([[x0, y0], [x1, y1]])

    @classmethod
    def from_bounds(cls, x0, y0, width, height):
        return cls.from_extents(x0, y0, x0 + width, y0 + height)

    def get_points(self):
        return self._points

    def _at(self, i, j):
        return self._points[i, j]

    x0 = property(lambda self: self._at(0, 0))
    y0 = property(lambda self: self._at(0, 1))
    x1 = property(lambda self: self._at(1, 0))
    y1 = property(lambda self: self._at(1, 1))
    xmin = property(lambda self: min(self.x0, self.x1))
    xmax = property(lambda self: max(self.x0, self.x1))
    ymin = property(lambda self: min(self.y0, self.y1))
    ymax = property(lambda self: max(self.y0, self.y1))
    width = property(lambda self: self.x1 - self.x0)
    height = property(lambda self: self.y1 - self.y0)
    bounds = property(lambda self: (self.x0, self.y0, self.width, self.height))
    extents = property(lambda self: self._points.reshape(-1).copy())

    def __array__(self, dtype=None, copy=None):
        return np.array(self._points, dtype=dtype) if copy else np.asarray(self._points, dtype=dtype)

    def __repr__(self):
        return f"Bbox(x0={self.x0}, y0={self.y0}, x1={self.x1}, y1={self.y1})"

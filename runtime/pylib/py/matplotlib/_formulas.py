"""Colour maps whose channels are functions of the place between 0 and 1."""

import numpy as np


def _cubehelix(toward_red, toward_blue):
    def channel(x):
        angle = 2 * np.pi * (0.5 / 3 + -1.5 * x)
        return x + x * (1 - x) / 2 * (toward_red * np.cos(angle) + toward_blue * np.sin(angle))

    return channel


def _gnuplot2_blue(x):
    return np.where(x < 0.25, 4 * x, np.where(x >= 0.92, x / 0.08 - 11.5, -2 * x + 1.84))


# Red, green, blue.
FORMULAS = {
    "rainbow": (lambda x: np.abs(2 * x - 0.5), lambda x: np.sin(x * np.pi), lambda x: np.cos(x * np.pi / 2)),
    "gnuplot": (lambda x: np.sqrt(x), lambda x: x**3, lambda x: np.sin(x * 2 * np.pi)),
    "gnuplot2": (lambda x: x / 0.32 - 0.78125, lambda x: 2 * x - 0.84, _gnuplot2_blue),
    "ocean": (lambda x: 3 * x - 2, lambda x: np.abs((3 * x - 1) / 2), lambda x: x),
    "afmhot": (lambda x: 2 * x, lambda x: 2 * x - 0.5, lambda x: 2 * x - 1),
    "flag": (
        lambda x: 0.75 * np.sin((x * 31.5 + 0.25) * np.pi) + 0.5,
        lambda x: np.sin(x * 31.5 * np.pi),
        lambda x: 0.75 * np.sin((x * 31.5 - 0.25) * np.pi) + 0.5,
    ),
    "prism": (
        lambda x: 0.75 * np.sin((x * 20.9 + 0.25) * np.pi) + 0.67,
        lambda x: 0.75 * np.sin((x * 20.9 - 0.25) * np.pi) + 0.33,
        lambda x: -1.1 * np.sin((x * 20.9) * np.pi),
    ),
    "cubehelix": (_cubehelix(-0.14861, 1.78277), _cubehelix(-0.29227, -0.90649), _cubehelix(1.97294, 0.0)),
}

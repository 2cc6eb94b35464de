"""Colour maps whose channels are functions: rainbow and its like, their reverses, by name and as attributes of `cm`."""
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib import cm

for name in ("rainbow", "gnuplot", "gnuplot2", "ocean", "afmhot", "flag", "prism", "cubehelix", "rainbow_r"):
    found = getattr(cm, name)
    print(name, found.name, found.N, [tuple(round(float(v), 6) + 0.0 for v in found(x)) for x in (0.0, 0.2, 0.55, 1.0)])
print(np.round(cm.rainbow(np.linspace(0, 1, 5)), 6).tolist())
print(tuple(round(float(v), 6) for v in plt.get_cmap("rainbow", 3)(1)), "ocean" in matplotlib.colormaps)
for i in range(10):
    colour = cm.rainbow(int(255 * i / 9))
print(tuple(round(float(v), 6) for v in colour))

# Lines of equal values and the areas between them: many levels, holes, and the points that they are made of.
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection, PolyCollection

x, y = np.meshgrid(np.arange(5.0), np.arange(4.0))
fig, ax = plt.subplots()
lines = ax.contour(x, y, x * 2 + y, [2.5, 4.5, 20.0])
for level, pieces in zip(lines.levels, lines.allsegs):
    print(level, [sorted(np.round(p, 6).tolist()) for p in pieces])
z = np.sin(x * 0.9) * np.cos(y * 0.7)
many = ax.contourf(x, y, z, 64, cmap="hot")
print(len(many.levels), round(float(many.zmin), 6), round(float(many.zmax), 6), len(many.layers), ax.get_xlim(), ax.get_ylim())
area = sum(
    0.5 * abs(float(np.dot(p[:, 0], np.roll(p[:, 1], 1)) - np.dot(p[:, 1], np.roll(p[:, 0], 1))))
    for pieces in ax.contourf(x, y, x, [0.0, 1.5, 4.0]).allsegs
    for p in pieces
)
print(round(area, 6))
z[1, 1] = np.nan
print([len(p) > 0 for p in ax.contour(z, levels=[0.1, 0.3]).allsegs])

pieces = LineCollection([[(0.0, 1.0), (2.0, 3.0)], np.array([[1, 2], [3, 4], [5, 6]])], colors=["r", "b"])
ax.add_collection(pieces)
print([p.tolist() for p in pieces.get_segments()])
pieces.set_segments([[(0, 1), (1, 0)]])
print([p.tolist() for p in pieces.get_segments()])
ax.add_collection(PolyCollection([[(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)], [[1, 1], [2, 1], [1, 2]]], facecolors="g"))
fig.canvas.draw()
plt.close(fig)

"""What matplotlib's functions return: limits, ticks, bins, colours, and the errors of wrong calls."""

import os
import warnings

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np


def short(*values):
    return [round(float(v), 9) for v in values]


def attempt(f):
    try:
        f()
        print("no error")
    except Exception as e:
        print(type(e).__name__, e)


for data in ([1, 1], [0, 0], [1e6, 2e6], [0.001, 0.002], [-3, 7], [100.1, 100.2]):
    plt.clf()
    plt.plot(data)
    print(short(*plt.xlim()), short(*plt.ylim()), short(*plt.yticks()[0]), [t.get_text() for t in plt.yticks()[1]])

plt.clf()
n, bins, patches = plt.hist([1, 2, 2, 3, 3, 3, 4.5], bins=4, density=True)
print(n, bins, len(patches), short(*plt.ylim()), short(*plt.xlim()))
h, e = np.histogram([1, 2, 2, 3, 3, 3, 4.5], bins=4, density=True)
print((h == n).all(), (e == bins).all())
n, bins, patches = plt.hist([[1, 2, 2], [3, 3, 5]], bins=3, label=["a", "b"])
print(n, bins, len(patches))
n, bins, patches = plt.hist([1, 2, 2, 5], bins=[0, 2, 4, 6], cumulative=True, histtype="step")
print(n, bins, len(patches))
n, bins, patches = plt.hist([[1, 2, 2], [2, 3, 3]], bins=2, stacked=True, color=["r", "k"])
print(n, bins, patches[1][0].get_y())

plt.clf()
plt.loglog([1, 10, 100], [1, 1000, 10])
print(short(*plt.xlim()), plt.xticks()[0], [t.get_text() for t in plt.xticks()[1]])
plt.clf()
plt.semilogy([1, 2, 3], [0.01, 1, 100])
print(short(*plt.ylim()), plt.yticks()[0])

fig, axs = plt.subplots(2, 3)
print(axs.shape, len(axs.flat), short(*axs[0, 1].get_position().bounds))
fig, ax = plt.subplots()
im = ax.imshow(np.arange(6).reshape(2, 3))
print(short(*ax.get_xlim()), short(*ax.get_ylim()), im.get_extent(), short(*ax.get_position().bounds))
plt.colorbar(im)
print(len(fig.axes), short(*fig.axes[1].get_ylim()), short(ax.get_position().x1))

for color in (plt.cm.viridis(0.5), plt.cm.jet(0.3), plt.cm.gray(0.5), plt.cm.tab10(3), plt.cm.viridis_r(0.0)):
    print([round(float(v), 6) for v in color])
print(plt.cm.hot(np.array([0.0, 0.5, 1.0])))
print(matplotlib.colors.to_hex("tab:orange"), matplotlib.colors.to_rgba("r", 0.5), matplotlib.colors.to_rgb("0.3"))

(line,) = plt.plot([1, 2, 3], "g^:", lw=3, label="it")
print(line.get_color(), line.get_marker(), line.get_linestyle(), line.get_linewidth(), line.get_label())
print(line.get_xdata(), line.get_ydata())
line.set_data([0, 1], [5, 6])
print(line.get_xydata())

plt.figure()
bars = plt.bar([1, 2, 3], [4, 5, 6], width=0.5, bottom=1)
print(*[(float(b.get_x()), float(b.get_y()), float(b.get_width()), int(b.get_height())) for b in bars])
print(short(*plt.xlim()), short(*plt.ylim()))
plt.figure()
wedges, texts, shares = plt.pie([1, 2, 3], labels=["a", "b", "c"], autopct="%1.1f%%")
print(len(wedges), [x.get_text() for x in texts], [x.get_text() for x in shares], short(wedges[0].theta2))
plt.figure()
parts = plt.boxplot([[1, 2, 3, 4, 20], [2, 3, 4]])
print({k: len(v) for k, v in parts.items()}, parts["medians"][0].get_ydata(), parts["whiskers"][0].get_ydata())
print(short(*plt.xlim()))
plt.figure()
print(plt.contourf([[0, 1, 2], [1, 2, 3], [2, 3, 4]]).levels, short(*plt.xlim()))
print(plt.contour([[0, 1, 2], [1, 2, 3], [2, 3, 4]], 3).levels)
plt.figure()
print(len(plt.errorbar([1, 2], [3, 4], yerr=[0.1, 0.2])), short(*plt.ylim()))
plt.figure()
plt.fill_between([0, 1, 2], [1, 2, 1], alpha=0.3)
plt.axhline(5, color="k")
plt.axvline(1)
print(short(*plt.xlim()), short(*plt.ylim()))
plt.figure()
points = plt.scatter([1, 2, 3], [4, 5, 6], c=[0.1, 0.5, 0.9], cmap="jet")
print(points.get_clim(), short(*plt.xlim()))

attempt(lambda: plt.plot([1, 2], [1, 2, 3]))
attempt(lambda: plt.plot([1, 2], foo=3))
attempt(lambda: plt.plot([1, 2], "q"))
attempt(lambda: plt.plot([1, 2], color="nocolor"))
attempt(lambda: plt.bar([1, 2], [1, 2, 3]))
attempt(lambda: plt.bar([1, 2], [1, 2], foo=1))
attempt(lambda: plt.scatter([1, 2], [1, 2, 3]))
attempt(lambda: plt.scatter([1, 2], [1, 2], foo=1))
attempt(lambda: plt.text(0, 0, "a", foo=1))
attempt(lambda: plt.title("a", foo=1))
attempt(lambda: plt.legend([], [], loc="nowhere"))
attempt(lambda: plt.subplot(2, 2, 5))
attempt(lambda: plt.imshow([1, 2]))
attempt(lambda: plt.hist([1], histtype="foo"))
attempt(lambda: plt.xscale("foo"))
attempt(lambda: plt.axis("foo"))

print(short(*plt.axis([0, 1, 2, 3])), plt.gcf().get_size_inches(), len(plt.get_fignums()))
plt.close("all")
print(plt.get_fignums())
plt.xticks([0, 1], ["a", "b"], rotation=45)
print([t.get_text() for t in plt.gca().get_xticklabels()], short(*plt.xlim()))
first = plt.subplot(2, 1, 1)
plt.subplot(212)
print(first is plt.subplot(2, 1, 1), len(plt.gcf().axes))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    os.environ.pop("DISPLAY", None)
    plt.show()
    os.environ["DISPLAY"] = ":0"
    plt.show()
    plt.show(block=True)
print(len(caught), caught[0].category.__name__, caught[0].message)

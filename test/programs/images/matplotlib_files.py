"""The files that matplotlib writes: their sizes, and colours at pixels that no font or smoothing touches."""

import io
import os
import tempfile
import xml.dom.minidom

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

folder = tempfile.mkdtemp()


def pixels(name):
    return (plt.imread(os.path.join(folder, name)) * 255).round().astype(int)


def at(image, x, y):
    """The colour at a fraction of the width and of the height, from above."""
    rows, columns = image.shape[:2]
    return image[int(y * rows), int(x * columns)].tolist()


# Bars fill what lies between their ends.
plt.figure(figsize=(4, 3), dpi=50)
plt.axes([0, 0, 1, 1])
plt.bar([0, 1], [1, 2], width=1.0, color=["red", "#00ff00"])
plt.xlim(-0.5, 1.5)
plt.ylim(0, 4)
plt.axis("off")
plt.savefig(os.path.join(folder, "bars.png"))
image = pixels("bars.png")
print(image.shape, at(image, 0.25, 0.9), at(image, 0.25, 0.6), at(image, 0.75, 0.6), at(image, 0.75, 0.4))

# An image is blocks of its colours; the first row is above.
plt.figure(figsize=(2, 2), dpi=100)
plt.axes([0, 0, 1, 1])
plt.imshow(np.array([[0.0, 1.0], [2.0, 3.0]]), cmap="gray", aspect="auto")
plt.axis("off")
plt.savefig(os.path.join(folder, "image.png"), dpi=150)
image = pixels("image.png")
print(image.shape, at(image, 0.25, 0.25), at(image, 0.75, 0.25), at(image, 0.25, 0.75), at(image, 0.75, 0.75))
plt.clf()
plt.axes([0, 0, 1, 1])
rgb = np.zeros((2, 2, 3))
rgb[0, 1] = [1, 0, 0]
rgb[1, 0] = [0, 0, 1]
plt.imshow(rgb, origin="lower", aspect="auto")
plt.axis("off")
plt.savefig(os.path.join(folder, "rgb.png"))
image = pixels("rgb.png")
print(image.shape, at(image, 0.75, 0.75), at(image, 0.25, 0.25), at(image, 0.25, 0.75))

# Contours' areas, a band, half of a colour over white.
plt.figure(figsize=(2, 2))
plt.axes([0, 0, 1, 1])
x = np.linspace(0, 1, 11)
plt.contourf(x, x, np.tile(x, (11, 1)), levels=[0, 0.5, 1], colors=["blue", "yellow"])
plt.axvspan(0.6, 0.9, color="red")
plt.axhspan(0.8, 1.0, facecolor="black", alpha=0.5)
plt.axis("off")
plt.savefig(os.path.join(folder, "areas.png"))
image = pixels("areas.png")
print(image.shape, at(image, 0.2, 0.5), at(image, 0.55, 0.5), at(image, 0.75, 0.5), at(image, 0.95, 0.5))

# A thick line, and what is outside of the axes is not drawn.
plt.figure(figsize=(2, 2), facecolor="cyan")
plt.axes([0.25, 0.25, 0.5, 0.5])
plt.plot([-5, 5], [0, 0], color="magenta", linewidth=20)
plt.ylim(-1, 1)
plt.xlim(-1, 1)
plt.axis("off")
plt.savefig(os.path.join(folder, "line.png"))
image = pixels("line.png")
print(at(image, 0.5, 0.5), at(image, 0.1, 0.5), at(image, 0.5, 0.3))

# Other formats and targets.
plt.figure(figsize=(5, 4))
plt.plot([1, 2, 3], label="<a & b>")
plt.title("a < b & c")
plt.legend()
plt.savefig(os.path.join(folder, "plot.svg"))
plt.savefig(os.path.join(folder, "plot.pdf"))
plt.savefig(os.path.join(folder, "without_suffix"))
print(sorted(os.listdir(folder)))
root = xml.dom.minidom.parse(os.path.join(folder, "plot.svg")).documentElement
print(root.tagName, root.getAttribute("width"), root.getAttribute("height"), len(root.getElementsByTagName("path")) > 20)
print("#1f77b4" in open(os.path.join(folder, "plot.svg")).read())
with open(os.path.join(folder, "plot.pdf"), "rb") as f:
    content = f.read()
print(content[:5], content.rstrip()[-5:])
buffer = io.BytesIO()
plt.savefig(buffer, format="png", dpi=30)
buffer.seek(0)
print(buffer.getvalue()[:8], plt.imread(buffer).shape)
plt.savefig(buffer, format="png", transparent=True)
fig = plt.figure(figsize=(3, 2))
fig.canvas.draw()
print(np.asarray(fig.canvas.buffer_rgba()).shape, fig.canvas.get_width_height())
for wrong in ("a.xyz", os.path.join(folder, "none", "a.png")):
    try:
        plt.savefig(wrong)
    except (ValueError, OSError) as e:
        print(type(e).__name__, str(e)[:28])
plt.imsave(os.path.join(folder, "saved.png"), np.array([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]), cmap="viridis")
print(pixels("saved.png").tolist())

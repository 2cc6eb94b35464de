"""Makes data sets in the formats of the real ones, which scripts then find in the place of those.

In: a folder. Out: `MNIST`, `cifar-10-batches-py` and `text.txt` in it. Always: the same for each run; a class can be told from its
pictures, and a word from those before it, so that training gets somewhere.
"""

import os
import pickle
import sys

import numpy as np


def pictures(draw, count, shape):
    """Pictures of ten classes: each is a pattern of its own, moved, in noise, and in part covered by another one's."""
    patterns = np.kron(np.random.default_rng(2).integers(0, 2, (10, 7, 7)), np.ones((4, 4))) * 160
    labels = draw.integers(0, 10, count).astype(np.uint8)
    made = np.empty((count, *shape), np.uint8)
    for at in range(count):
        pattern = np.roll(patterns[labels[at]], draw.integers(-2, 3, 2), (0, 1))
        covered = draw.integers(0, 20)
        pattern[:covered] = patterns[draw.integers(0, 10)][:covered]
        high, wide = shape[-2:]
        whole = np.zeros((high, wide))
        whole[(high - 28) // 2 :, (wide - 28) // 2 :][:28, :28] = pattern
        made[at] = whole + draw.integers(0, 60, shape)
    return made, labels


def idx(path, array):
    """A file of MNIST's format: type and dimensions, then bytes."""
    with open(path, "wb") as file:
        file.write(bytes([0, 0, 8, array.ndim]))
        for extent in array.shape:
            file.write(int(extent).to_bytes(4, "big"))
        file.write(array.tobytes())


def mnist(folder, draw):
    folder = os.path.join(folder, "MNIST", "raw")
    os.makedirs(folder)
    for part, count in (("train", 60000), ("t10k", 10000)):
        images, labels = pictures(draw, count, (28, 28))
        idx(os.path.join(folder, part + "-images-idx3-ubyte"), images)
        idx(os.path.join(folder, part + "-labels-idx1-ubyte"), labels)


def cifar(folder, draw):
    folder = os.path.join(folder, "cifar-10-batches-py")
    os.makedirs(folder)
    for name in ["data_batch_%d" % n for n in range(1, 6)] + ["test_batch"]:
        images, labels = pictures(draw, 10000, (3, 32, 32))
        batch = {
            "batch_label": name,
            "labels": labels.tolist(),
            "data": images.reshape(10000, 3072),
            "filenames": ["%d.png" % n for n in range(10000)],
        }
        with open(os.path.join(folder, name), "wb") as file:
            pickle.dump(batch, file, 2)
    words = "airplane automobile bird cat deer dog frog horse ship truck"
    with open(os.path.join(folder, "batches.meta"), "wb") as file:
        pickle.dump({"label_names": words.split(), "num_vis": 3072}, file, 2)


def text(folder, draw):
    """Sentences of words, each of which is followed by one of few."""
    sounds = [a + b for a in "bdfgklmnprst" for b in "aeiou"]
    words = ["".join(draw.choice(sounds, draw.integers(1, 4))) for _ in range(2000)]
    after = draw.integers(0, 2000, (2000, 8))
    word = 0
    with open(os.path.join(folder, "text.txt"), "w") as file:
        for _ in range(12000):
            sentence = []
            for _ in range(draw.integers(4, 14)):
                word = int(after[word, draw.integers(0, 8)])
                sentence.append(words[word])
            file.write(" ".join(sentence).capitalize() + " .\n")


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for make in (mnist, cifar, text):
        make(folder, np.random.default_rng(1))


main()

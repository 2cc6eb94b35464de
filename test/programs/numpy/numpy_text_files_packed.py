"""Tables of text that are packed, with converters, several marks of comments and columns."""
import bz2
import gzip
import lzma
import os
import tempfile

import numpy as np

with tempfile.TemporaryDirectory() as folder:
    table = np.arange(12.0).reshape(4, 3) / 8
    for ending, opened in ((".gz", gzip.open), (".bz2", bz2.open), (".xz", lzma.open), (".txt", open)):
        path = os.path.join(folder, "table" + ending)
        np.savetxt(path, table, fmt="%.3f", delimiter=",")
        with opened(path, "rt") as file:
            print(ending, file.readline().strip())
        print(np.array_equal(np.loadtxt(path, delimiter=",", dtype=np.float32), table.astype(np.float32)))
        print(np.genfromtxt(path, delimiter=",")[1])
    path = os.path.join(folder, "mixed.txt")
    with open(path, "w", encoding="latin1") as file:
        file.write("# größe\n1 2 red\n3 4 blue % not this\n\n5 6 red\n")
    colours = {"red": 0.0, "blue": 1.0}
    print(np.loadtxt(path, encoding="latin1", comments=["#", "%"], converters={2: lambda s: colours[s]}))
    print(np.loadtxt(path, encoding="latin1", comments=["#", "%"], converters={2: colours.get}, usecols=(2, 0)))
    print(np.loadtxt(path, encoding="latin1", comments=["#", "%"], converters=lambda s: float(len(s)), max_rows=2))
    try:
        np.loadtxt(path, encoding="latin1", comments=["#", "%"])
    except ValueError as e:
        print(e)

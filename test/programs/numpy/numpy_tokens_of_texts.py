# A text's characters as numbers in a small dtype, as data for language models is prepared.
import os
import tempfile

import numpy as np

text = "".join(chr(32 + (i * i + 7 * i) % 90) for i in range(3000)) + "äöü\u4e00 äß\U0001f600" * 3
chars = sorted(set(text))
print(len(chars), "".join(chars[-8:]), len(frozenset("aab")), set("") == set(), sorted(set(["ab", "b"]) | set("ab")))
kept = {"x"}
kept.update("xyz", "zé")
print(sorted(kept), sorted(kept ^ set("xé")), set("abc") >= set("cab"))


class Reversed(str):
    def __iter__(self):
        return iter(["whole"])


print(set(Reversed("abc")))

stoi = {ch: i for i, ch in enumerate(chars)}
ids = [stoi[c] for c in text]
for dtype in (np.uint16, np.uint32, np.uint64):
    a = np.array(ids, dtype=dtype)
    print(a.dtype, a.shape, a[:5], int(a.sum()), np.array([ids[:3], ids[3:6]], dtype=dtype).tolist())
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "train.bin")
        a.tofile(path)
        print(os.path.getsize(path), np.array_equal(np.fromfile(path, dtype=dtype), a))
for values in ([1, -1], [1, 65535], [3, 65536], [2**63, 1], [2**64, 0], [True, 2], [1.75, 2], [np.int64(9), 3], [[]], [[1, 2], [3]]):
    for dtype in (np.uint16, np.uint64):
        try:
            print(values, np.array(values, dtype=dtype).tolist())
        except (OverflowError, ValueError) as e:
            print(values, type(e).__name__, str(e)[:60])

"""A DataLoader without batches converts what it hands out: arrays to tensors, tuples to lists, and leaves the rest."""
from collections import OrderedDict, namedtuple

import numpy
import torch
from torch.utils.data import DataLoader, Dataset, default_convert

Pair = namedtuple("Pair", "first second")


class Mixed(Dataset):
    def __len__(self):
        return 3

    def __getitem__(self, i):
        return {"array": numpy.full(2, i, dtype=numpy.float32), "pair": (i, numpy.int64(i)), "name": str(i), "x": i * 0.5}


for row in DataLoader(Mixed(), batch_size=None):
    print(row)
for value in (numpy.ones(2), [numpy.float32(1), 2], (1, 2), Pair(1, numpy.zeros(1)), OrderedDict(a=numpy.ones(1)), "a", b"b", 5, None):
    print(type(default_convert(value)).__name__, default_convert(value))

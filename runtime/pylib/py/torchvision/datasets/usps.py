"""Digits of letters' addresses, in the format of libsvm."""

import bz2
import os

import numpy as np
from PIL import Image

from torchvision.datasets.utils import obtain
from torchvision.datasets.vision import VisionDataset


class USPS(VisionDataset):
    _url = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/multiclass/"
    split_list = {
        "train": [_url + "usps.bz2", "usps.bz2", "ec16c51db3855ca6c91edd34d0e9b197"],
        "test": [_url + "usps.t.bz2", "usps.t.bz2", "8ea070ee2aca1ac39742fdd1ef5ed118"],
    }

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        super().__init__(root, transform=transform, target_transform=target_transform)
        url, filename, checksum = self.split_list["train" if train else "test"]
        path = os.path.join(self.root, filename)
        if download and not os.path.exists(path):
            obtain(url, self.root, filename, checksum)
        with bz2.open(path) as f:
            rows = [line.decode().split() for line in f.readlines()]
        values = [[float(word.split(":")[-1]) for word in row[1:]] for row in rows]
        pictures = np.asarray(values, dtype=np.float32).reshape(-1, 16, 16)
        self.data = ((pictures + 1) / 2 * 255).astype(np.uint8)
        self.targets = [int(row[0]) - 1 for row in rows]

    def __getitem__(self, index):
        return self._transformed(Image.fromarray(self.data[index]), int(self.targets[index]))

    def __len__(self):
        return len(self.data)

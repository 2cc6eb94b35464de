"""House numbers, from MATLAB files."""

import os

import numpy as np
from PIL import Image

from torchvision.datasets import _matfile
from torchvision.datasets.utils import check_integrity, obtain, verify_str_arg
from torchvision.datasets.vision import VisionDataset


class SVHN(VisionDataset):
    _url = "http://ufldl.stanford.edu/housenumbers/"
    split_list = {
        "train": [_url + "train_32x32.mat", "train_32x32.mat", "e26dedcc434d2e4c54c9b2d4a06d8373"],
        "test": [_url + "test_32x32.mat", "test_32x32.mat", "eb5a983be6a315427106f1b164d9cef3"],
        "extra": [_url + "extra_32x32.mat", "extra_32x32.mat", "a93ce644f1a588dc4d68dda5feec44a7"],
    }

    def __init__(self, root, split="train", transform=None, target_transform=None, download=False):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.split = verify_str_arg(split, "split", tuple(self.split_list))
        self.url, self.filename, self.file_md5 = self.split_list[split]
        if download:
            self.download()
        if not self._check_integrity():
            raise RuntimeError("Dataset not found or corrupted. You can use download=True to download it")
        found = _matfile.arrays(os.path.join(self.root, self.filename))
        # Rows, columns, bands, pictures; a 0 is class 10 in the file.
        self.data = found["X"].permute(3, 2, 0, 1).contiguous().numpy()
        self.labels = (found["y"].long().reshape(-1) % 10).numpy()

    def __getitem__(self, index):
        image = Image.fromarray(np.transpose(self.data[index], (1, 2, 0)))
        return self._transformed(image, int(self.labels[index]))

    def __len__(self):
        return len(self.data)

    def _check_integrity(self):
        return check_integrity(os.path.join(self.root, self.filename), self.split_list[self.split][2])

    def download(self):
        obtain(self.url, self.root, self.filename, self.split_list[self.split][2])

    def extra_repr(self):
        return f"Split: {self.split}"

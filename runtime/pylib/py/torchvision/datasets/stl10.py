"""STL-10, from files of bytes."""

import os

import numpy as np
from PIL import Image

from torchvision.datasets.utils import check_integrity, obtain, verify_str_arg
from torchvision.datasets.vision import VisionDataset


class STL10(VisionDataset):
    base_folder = "stl10_binary"
    url = "http://ai.stanford.edu/~acoates/stl10/stl10_binary.tar.gz"
    filename = "stl10_binary.tar.gz"
    tgz_md5 = "91f7769df0f17e558f3565bffb0c7dfb"
    class_names_file = "class_names.txt"
    folds_list_file = "fold_indices.txt"
    train_list = [
        ["train_X.bin", "918c2871b30a85fa023e0c44e0bee87f"],
        ["train_y.bin", "5a34089d4802c674881badbb80307741"],
        ["unlabeled_X.bin", "5242ba1fed5e4be9e1e742405eb56ca4"],
    ]
    test_list = [["test_X.bin", "7f263ba9f9e0b06b93213547f721ac82"], ["test_y.bin", "36f9794fa4beb8a2c72628de14fa638e"]]
    splits = ("train", "train+unlabeled", "unlabeled", "test")

    def __init__(self, root, split="train", folds=None, transform=None, target_transform=None, download=False):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.split = verify_str_arg(split, "split", self.splits)
        if folds is not None and not isinstance(folds, int):
            raise ValueError(f"Expected type None or int for argument folds, but got type {type(folds)}.")
        if folds is not None and not 0 <= folds < 10:
            raise ValueError(f"Value for argument folds should be in the range [0, 10), but got {folds}.")
        self.folds = folds
        if download:
            self.download()
        elif not self._check_integrity():
            raise RuntimeError("Dataset not found or corrupted. You can use download=True to download it")
        if split == "test":
            self.data, self.labels = self._read(self.test_list[0][0], self.test_list[1][0])
        elif split == "unlabeled":
            self.data, self.labels = self._read(self.train_list[2][0], None)
        else:
            self.data, self.labels = self._read(self.train_list[0][0], self.train_list[1][0])
            if folds is not None:
                chosen = self._fold(folds)
                self.data, self.labels = self.data[chosen], self.labels[chosen]
            if split == "train+unlabeled":
                data, labels = self._read(self.train_list[2][0], None)
                self.data = np.concatenate((self.data, data))
                self.labels = np.concatenate((self.labels.astype(np.int64), labels))
        names = os.path.join(self.root, self.base_folder, self.class_names_file)
        if os.path.isfile(names):
            with open(names) as f:
                self.classes = f.read().splitlines()

    def _read(self, pictures, labels):
        folder = os.path.join(self.root, self.base_folder)
        # Columns come before rows.
        data = np.fromfile(os.path.join(folder, pictures), dtype=np.uint8).reshape(-1, 3, 96, 96).transpose(0, 1, 3, 2)
        if labels is None:
            return data, np.full(len(data), -1)
        return data, np.fromfile(os.path.join(folder, labels), dtype=np.uint8) - 1

    def _fold(self, number):
        with open(os.path.join(self.root, self.base_folder, self.folds_list_file)) as f:
            return np.array([int(word) for word in f.read().splitlines()[number].split()])

    def __getitem__(self, index):
        image = Image.fromarray(np.transpose(self.data[index], (1, 2, 0)))
        return self._transformed(image, int(self.labels[index]))

    def __len__(self):
        return self.data.shape[0]

    def _check_integrity(self):
        folder = os.path.join(self.root, self.base_folder)
        return all([check_integrity(os.path.join(folder, name), md5) for name, md5 in self.train_list + self.test_list])

    def download(self):
        if not self._check_integrity():
            obtain(self.url, self.root, self.filename, self.tgz_md5, unpack=True)

    def extra_repr(self):
        return f"Split: {self.split}"

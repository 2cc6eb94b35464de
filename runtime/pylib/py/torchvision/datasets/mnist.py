"""Digits, clothes and letters in the idx format."""

import os
import string
import urllib.error

import torch
from PIL import Image

from torchvision.datasets.utils import check_integrity, download_and_extract_archive, obtain, verify_str_arg
from torchvision.datasets.vision import VisionDataset


class MNIST(VisionDataset):
    mirrors = [
        "https://ossci-datasets.s3.amazonaws.com/mnist/",
        "http://yann.lecun.com/exdb/mnist/",
    ]
    resources = [
        ("train-images-idx3-ubyte.gz", "f68b3c2dcbeaaa9fbdd348bbdeb94873"),
        ("train-labels-idx1-ubyte.gz", "d53e105ee54ea40749a09fcbcd1e9432"),
        ("t10k-images-idx3-ubyte.gz", "9fb629c4189551a2d022fa330f9573f3"),
        ("t10k-labels-idx1-ubyte.gz", "ec29112dd5afa0611ce80d1b7f02629c"),
    ]
    training_file = "training.pt"
    test_file = "test.pt"
    classes = [
        "0 - zero", "1 - one", "2 - two", "3 - three", "4 - four",
        "5 - five", "6 - six", "7 - seven", "8 - eight", "9 - nine",
    ]

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.train = train
        if download:
            self.download()
        if not self._check_exists():
            raise RuntimeError("Dataset not found. You can use download=True to download it")
        self.data, self.targets = self._load_data()

    @property
    def train_labels(self):
        return self.targets

    test_labels = train_labels

    @property
    def train_data(self):
        return self.data

    test_data = train_data

    def _load_data(self):
        kind = "train" if self.train else "t10k"
        data = read_image_file(os.path.join(self.raw_folder, f"{kind}-images-idx3-ubyte"))
        targets = read_label_file(os.path.join(self.raw_folder, f"{kind}-labels-idx1-ubyte"))
        return data, targets

    def __getitem__(self, index):
        image, target = self.data[index], int(self.targets[index])
        return self._transformed(Image.of_tensor(image.clone(), "L"), target)

    def __len__(self):
        return len(self.data)

    @property
    def raw_folder(self):
        return os.path.join(self.root, self.__class__.__name__, "raw")

    @property
    def processed_folder(self):
        return os.path.join(self.root, self.__class__.__name__, "processed")

    @property
    def class_to_idx(self):
        return {name: i for i, name in enumerate(self.classes)}

    def _check_exists(self):
        names = [os.path.splitext(os.path.basename(name))[0] for name, _ in self.resources]
        return all(check_integrity(os.path.join(self.raw_folder, name)) for name in names)

    def download(self):
        if self._check_exists():
            return
        os.makedirs(self.raw_folder, exist_ok=True)
        for name, md5 in self.resources:
            errors = []
            for mirror in self.mirrors:
                try:
                    download_and_extract_archive(f"{mirror}{name}", self.raw_folder, filename=name, md5=md5)
                except (urllib.error.URLError, OSError) as error:
                    errors.append(f"Tried {mirror}{name}, got:\n{error}")
                    continue
                break
            else:
                raise RuntimeError(
                    f"Error downloading {name}:\n" + "\n".join(errors)
                    + f"\nThe unpacked file can be put into {self.raw_folder} instead."
                )

    def extra_repr(self):
        return f"Split: {'Train' if self.train is True else 'Test'}"


class FashionMNIST(MNIST):
    mirrors = ["http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/"]
    resources = [
        ("train-images-idx3-ubyte.gz", "8d4fb7e6c68d591d4c3dfef9ec88bf0d"),
        ("train-labels-idx1-ubyte.gz", "25c81989df183df01b3e8a0aad5dffbe"),
        ("t10k-images-idx3-ubyte.gz", "bef4ecab320f06d8554ea6380940ec79"),
        ("t10k-labels-idx1-ubyte.gz", "bb300cfdad3c16e7a12a480ee83cd310"),
    ]
    classes = [
        "T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot",
    ]


class KMNIST(MNIST):
    mirrors = ["http://codh.rois.ac.jp/kmnist/dataset/kmnist/"]
    resources = [
        ("train-images-idx3-ubyte.gz", "bdb82020997e1d708af4cf47b453dcf7"),
        ("train-labels-idx1-ubyte.gz", "e144d726b3acfaa3e44228e80efcd344"),
        ("t10k-images-idx3-ubyte.gz", "5c965bf0a639b31b8f53240b1b52f4d7"),
        ("t10k-labels-idx1-ubyte.gz", "7320c461ea6c1c855c0b718fb2a4b134"),
    ]
    classes = ["o", "ki", "su", "tsu", "na", "ha", "ma", "ya", "re", "wo"]


class EMNIST(MNIST):
    """Letters and digits; the files of a split lie unpacked in the raw folder."""

    splits = ("byclass", "bymerge", "balanced", "letters", "digits", "mnist")
    _merged_classes = set("cijklmopsuvwxyz")
    _all_classes = set(string.digits + string.ascii_letters)
    classes_split_dict = {
        "byclass": sorted(_all_classes),
        "bymerge": sorted(_all_classes - _merged_classes),
        "balanced": sorted(_all_classes - _merged_classes),
        "letters": ["N/A"] + list(string.ascii_lowercase),
        "digits": list(string.digits),
        "mnist": list(string.digits),
    }

    def __init__(self, root, split, **kwargs):
        self.split = verify_str_arg(split, "split", self.splits)
        self.training_file = f"training_{split}.pt"
        self.test_file = f"test_{split}.pt"
        super().__init__(root, **kwargs)
        self.classes = self.classes_split_dict[self.split]

    def _path(self, what, train):
        kind = "train" if train else "test"
        number = 3 if what == "images" else 1
        return os.path.join(self.raw_folder, f"emnist-{self.split}-{kind}-{what}-idx{number}-ubyte")

    def _load_data(self):
        return read_image_file(self._path("images", self.train)), read_label_file(self._path("labels", self.train))

    def _check_exists(self):
        return all(os.path.isfile(self._path(what, self.train)) for what in ("images", "labels"))

    def download(self):
        if not self._check_exists():
            raise RuntimeError(
                f"EMNIST is not downloaded here: unpack the files of split {self.split!r} into {self.raw_folder}"
            )


class QMNIST(MNIST):
    """MNIST with all of its test pictures, and who wrote each."""

    subsets = {"train": "train", "test": "test", "test10k": "test", "test50k": "test", "nist": "nist"}
    _url = "https://raw.githubusercontent.com/facebookresearch/qmnist/master/"
    resources = {
        "train": [
            (_url + "qmnist-train-images-idx3-ubyte.gz", "ed72d4157d28c017586c42bc6afe6370"),
            (_url + "qmnist-train-labels-idx2-int.gz", "0058f8dd561b90ffdd0f734c6a30e5e4"),
        ],
        "test": [
            (_url + "qmnist-test-images-idx3-ubyte.gz", "1394631089c404de565df7b7aeaf9412"),
            (_url + "qmnist-test-labels-idx2-int.gz", "5b5b05890a5e13444e108efe57b788aa"),
        ],
        "nist": [
            (_url + "xnist-images-idx3-ubyte.xz", "7f124b3b8ab81486c9d8c2749c17f834"),
            (_url + "xnist-labels-idx2-int.xz", "5ed0e788978e45d4a8bd4b7caec3d79d"),
        ],
    }

    def __init__(self, root, what=None, compat=True, train=True, **kwargs):
        if what is None:
            what = "train" if train else "test"
        self.what = verify_str_arg(what, "what", tuple(self.subsets))
        self.compat = compat
        super().__init__(root, train, **kwargs)

    def _file(self, number):
        url = self.resources[self.subsets[self.what]][number][0]
        return os.path.join(self.raw_folder, os.path.splitext(os.path.basename(url))[0])

    @property
    def images_file(self):
        return self._file(0)

    @property
    def labels_file(self):
        return self._file(1)

    def _check_exists(self):
        return all([check_integrity(file) for file in (self.images_file, self.labels_file)])

    def _load_data(self):
        data = read_sn3_pascalvincent_tensor(self.images_file)
        targets = read_sn3_pascalvincent_tensor(self.labels_file).long()
        if targets.dim() != 2:
            raise ValueError(f"targets should have 2 dimensions instead of {targets.dim()}")
        part = {"test10k": slice(10000), "test50k": slice(10000, None)}.get(self.what, slice(None))
        return data[part].clone(), targets[part].clone()

    def download(self):
        if not self._check_exists():
            os.makedirs(self.raw_folder, exist_ok=True)
            for url, md5 in self.resources[self.subsets[self.what]]:
                obtain(url, self.raw_folder, None, md5, unpack=True)

    def __getitem__(self, index):
        image, target = self.data[index], self.targets[index]
        return self._transformed(Image.of_tensor(image.clone(), "L"), int(target[0]) if self.compat else target)

    def extra_repr(self):
        return f"Split: {self.what}"


_DTYPES = {
    8: torch.uint8,
    9: torch.int8,
    11: torch.int16,
    12: torch.int32,
    13: torch.float32,
    14: torch.float64,
}


def read_sn3_pascalvincent_tensor(path, strict=True):
    """The tensor of an idx file; numbers there are big-endian."""
    with open(path, "rb") as f:
        data = f.read()
    if len(data) < 4 or data[0] or data[1]:
        raise ValueError(f"{path} is no idx file")
    dims, dtype = data[3], _DTYPES.get(data[2])
    if not 1 <= dims <= 3 or dtype is None:
        raise ValueError(f"{path} is no idx file of 1 to 3 dimensions")
    shape = [int.from_bytes(data[4 * (i + 1) : 4 * (i + 2)], "big") for i in range(dims)]
    body = data[4 * (dims + 1) :]
    size = dtype.itemsize
    if size > 1:
        whole = len(body) // size * size
        body = b"".join(body[i : i + size][::-1] for i in range(0, whole, size))
    t = torch._C._tensor_of_bytes(body, dtype)
    count = 1
    for n in shape:
        count *= n
    if strict and t.numel() != count:
        raise ValueError(f"{path} has {t.numel()} elements, and not {count}")
    return t[:count].reshape(shape)


def read_label_file(path):
    x = read_sn3_pascalvincent_tensor(path, strict=False)
    if x.dtype != torch.uint8:
        raise TypeError(f"x should be of dtype torch.uint8 instead of {x.dtype}")
    if x.ndimension() != 1:
        raise ValueError(f"x should have 1 dimension instead of {x.ndimension()}")
    return x.long()


def read_image_file(path):
    x = read_sn3_pascalvincent_tensor(path, strict=False)
    if x.dtype != torch.uint8:
        raise TypeError(f"x should be of dtype torch.uint8 instead of {x.dtype}")
    if x.ndimension() != 3:
        raise ValueError(f"x should have 3 dimension instead of {x.ndimension()}")
    return x

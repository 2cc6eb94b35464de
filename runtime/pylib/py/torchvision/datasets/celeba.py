"""Faces, with attributes, persons and places in tables of text."""

import os

import torch
from PIL import Image

from torchvision.datasets.utils import check_integrity, download_file_from_google_drive, extract_archive, verify_str_arg
from torchvision.datasets.vision import VisionDataset


class CelebA(VisionDataset):
    base_folder = "celeba"
    file_list = [
        ("0B7EVK8r0v71pZjFTYXZWM3FlRnM", "00d2c5bc6d35e252742224ab0c1e8fcb", "img_align_celeba.zip"),
        ("0B7EVK8r0v71pblRyaVFSWGxPY0U", "75e246fa4810816ffd6ee81facbd244c", "list_attr_celeba.txt"),
        ("1_ee_0u7vcNLOfNLegJRHmolfH5ICW-XS", "32bd1bd63d3c78cd57e08160ec5ed1e2", "identity_CelebA.txt"),
        ("0B7EVK8r0v71pbThiMVRxWXZ4dU0", "00566efa6fedff7a56946cd1c10f1c16", "list_bbox_celeba.txt"),
        ("0B7EVK8r0v71pd0FJY3Blby1HUTQ", "cc24ecafdb5b50baae59b03474781f8c", "list_landmarks_align_celeba.txt"),
        ("0B7EVK8r0v71pY0NSMzRuSXJEVkk", "d32c9cbf5e040fd4025c592c306e6668", "list_eval_partition.txt"),
    ]

    def __init__(self, root, split="train", target_type="attr", transform=None, target_transform=None, download=False):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.split = split
        self.target_type = target_type if isinstance(target_type, list) else [target_type]
        if not self.target_type and self.target_transform is not None:
            raise RuntimeError("target_transform is specified but target_type is empty")
        if download:
            self.download()
        if not self._check_integrity():
            raise RuntimeError("Dataset not found or corrupted. You can use download=True to download it")
        parts = ("train", "valid", "test", "all")
        part = parts.index(verify_str_arg(split.lower() if isinstance(split, str) else split, "split", parts))
        _, names, numbers = self._table("list_eval_partition.txt", None)
        rows = torch.arange(len(names)) if part == 3 else (numbers[:, 0] == part).nonzero().reshape(-1)
        self.filename = [names[i] for i in rows.tolist()]
        self.identity = self._table("identity_CelebA.txt", None)[2][rows]
        self.bbox = self._table("list_bbox_celeba.txt", 1)[2][rows]
        self.landmarks_align = self._table("list_landmarks_align_celeba.txt", 1)[2][rows]
        self.attr_names, _, attributes = self._table("list_attr_celeba.txt", 1)
        # They are -1 or 1 in the file.
        self.attr = torch.div(attributes[rows] + 1, 2, rounding_mode="floor")

    def _table(self, filename, header):
        """The header, the names of the pictures, and their numbers."""
        with open(os.path.join(self.root, self.base_folder, filename)) as f:
            lines = f.read().split("\n")
        if lines and not lines[-1]:
            lines.pop()
        names = [] if header is None else lines[header].split(" ")
        rows = [line.split() for line in lines[0 if header is None else header + 1 :]]
        return names, [row[0] for row in rows], torch.tensor([[int(word) for word in row[1:]] for row in rows])

    def __getitem__(self, index):
        image = Image.open(os.path.join(self.root, self.base_folder, "img_align_celeba", self.filename[index]))
        found = []
        for kind in self.target_type:
            if kind == "attr":
                found.append(self.attr[index, :])
            elif kind == "identity":
                found.append(self.identity[index, 0])
            elif kind == "bbox":
                found.append(self.bbox[index, :])
            elif kind == "landmarks":
                found.append(self.landmarks_align[index, :])
            else:
                raise ValueError(f'Target type "{kind}" is not recognized.')
        if self.transform is not None:
            image = self.transform(image)
        if not found:
            return image, None
        target = tuple(found) if len(found) > 1 else found[0]
        return image, target if self.target_transform is None else self.target_transform(target)

    def __len__(self):
        return len(self.attr)

    def _check_integrity(self):
        folder = os.path.join(self.root, self.base_folder)
        tables = [(md5, name) for _, md5, name in self.file_list if not name.endswith((".zip", ".7z"))]
        return all([check_integrity(os.path.join(folder, name), md5) for md5, name in tables]) and os.path.isdir(
            os.path.join(folder, "img_align_celeba")
        )

    def download(self):
        if self._check_integrity():
            return
        folder = os.path.join(self.root, self.base_folder)
        for file_id, md5, name in self.file_list:
            download_file_from_google_drive(file_id, folder, name, md5)
        extract_archive(os.path.join(folder, "img_align_celeba.zip"))

    def extra_repr(self):
        return f"Target type: {self.target_type}\nSplit: {self.split}"

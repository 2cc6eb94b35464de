"""Characters of many alphabets, a folder each."""

from os.path import join

from PIL import Image

from torchvision.datasets.utils import check_integrity, list_dir, list_files, obtain
from torchvision.datasets.vision import VisionDataset


class Omniglot(VisionDataset):
    folder = "omniglot-py"
    download_url_prefix = "https://raw.githubusercontent.com/brendenlake/omniglot/master/python"
    zips_md5 = {
        "images_background": "68d2efa1b9178cc56df9314c21c6e718",
        "images_evaluation": "6b91aef0f799c5bb55b94e3f2daec811",
    }

    def __init__(self, root, background=True, transform=None, target_transform=None, download=False, loader=None):
        super().__init__(join(root, self.folder), transform=transform, target_transform=target_transform)
        self.background = background
        if download:
            self.download()
        if not self._check_integrity():
            raise RuntimeError("Dataset not found or corrupted. You can use download=True to download it")
        self.target_folder = join(self.root, self._get_target_folder())
        self._alphabets = list_dir(self.target_folder)
        self._characters = [join(a, c) for a in self._alphabets for c in list_dir(join(self.target_folder, a))]
        self._character_images = [
            [(image, i) for image in list_files(join(self.target_folder, character), ".png")]
            for i, character in enumerate(self._characters)
        ]
        self._flat_character_images = [pair for images in self._character_images for pair in images]
        self.loader = loader

    def __len__(self):
        return len(self._flat_character_images)

    def __getitem__(self, index):
        name, character = self._flat_character_images[index]
        path = join(self.target_folder, self._characters[character], name)
        image = Image.open(path, mode="r").convert("L") if self.loader is None else self.loader(path)
        if self.transform:
            image = self.transform(image)
        if self.target_transform:
            character = self.target_transform(character)
        return image, character

    def _check_integrity(self):
        name = self._get_target_folder()
        return check_integrity(join(self.root, name + ".zip"), self.zips_md5[name])

    def download(self):
        if not self._check_integrity():
            name = self._get_target_folder()
            obtain(f"{self.download_url_prefix}/{name}.zip", self.root, name + ".zip", self.zips_md5[name], unpack=True)

    def _get_target_folder(self):
        return "images_background" if self.background else "images_evaluation"

"""Pascal VOC: pictures with masks, or with boxes in XML."""

import os
from collections import defaultdict
from xml.etree.ElementTree import parse

from PIL import Image

from torchvision.datasets.utils import obtain, verify_str_arg
from torchvision.datasets.vision import VisionDataset


def _year(year, file, md5, folder, saved=None):
    return {
        "url": f"http://host.robots.ox.ac.uk/pascal/VOC/voc{year}/{file}", "filename": saved or file, "md5": md5, "base_dir": folder,
    }


DATASET_YEAR_DICT = {
    "2012": _year(2012, "VOCtrainval_11-May-2012.tar", "6cd6e144f989b92b3379bac3b3de84fd", "VOCdevkit/VOC2012"),
    "2011": _year(2011, "VOCtrainval_25-May-2011.tar", "6c3384ef61512963050cb5d687e5bf1e", "TrainVal/VOCdevkit/VOC2011"),
    "2010": _year(2010, "VOCtrainval_03-May-2010.tar", "da459979d0c395079b5c75ee67908abb", "VOCdevkit/VOC2010"),
    "2009": _year(2009, "VOCtrainval_11-May-2009.tar", "a3e00b113cfcfebf17e343f59da3caa1", "VOCdevkit/VOC2009"),
    "2008": _year(
        2008, "VOCtrainval_14-Jul-2008.tar", "2629fa636546599198acfcfbfcf1904a", "VOCdevkit/VOC2008", "VOCtrainval_11-May-2012.tar"
    ),
    "2007": _year(2007, "VOCtrainval_06-Nov-2007.tar", "c52e279531787c972589f7e41ab4ae64", "VOCdevkit/VOC2007"),
    "2007-test": _year(2007, "VOCtest_06-Nov-2007.tar", "b6e924de25625d8de591ea690078ad9f", "VOCdevkit/VOC2007"),
}


class _VOCBase(VisionDataset):
    def __init__(
        self, root, year="2012", image_set="train", download=False, transform=None, target_transform=None, transforms=None
    ):
        super().__init__(root, transforms, transform, target_transform)
        self.year = verify_str_arg(year, "year", [str(y) for y in range(2007, 2013)])
        sets = ["train", "trainval", "val"] + (["test"] if year == "2007" else [])
        self.image_set = verify_str_arg(image_set, "image_set", sets)
        of_year = DATASET_YEAR_DICT["2007-test" if year == "2007" and image_set == "test" else year]
        self.url, self.filename, self.md5 = of_year["url"], of_year["filename"], of_year["md5"]
        folder = os.path.join(self.root, of_year["base_dir"])
        if download:
            obtain(self.url, self.root, self.filename, self.md5, unpack=True)
        if not os.path.isdir(folder):
            raise RuntimeError("Dataset not found or corrupted. You can use download=True to download it")
        with open(os.path.join(folder, "ImageSets", self._SPLITS_DIR, image_set + ".txt")) as f:
            names = [line.strip() for line in f]
        self.images = [os.path.join(folder, "JPEGImages", name + ".jpg") for name in names]
        self.targets = [os.path.join(folder, self._TARGET_DIR, name + self._TARGET_FILE_EXT) for name in names]

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        image, target = Image.open(self.images[index]).convert("RGB"), self._read(self.targets[index])
        return (image, target) if self.transforms is None else self.transforms(image, target)


class VOCSegmentation(_VOCBase):
    _SPLITS_DIR, _TARGET_DIR, _TARGET_FILE_EXT = "Segmentation", "SegmentationClass", ".png"

    @property
    def masks(self):
        return self.targets

    def _read(self, path):
        return Image.open(path)


class VOCDetection(_VOCBase):
    _SPLITS_DIR, _TARGET_DIR, _TARGET_FILE_EXT = "Main", "Annotations", ".xml"

    @property
    def annotations(self):
        return self.targets

    def _read(self, path):
        return self.parse_voc_xml(parse(path).getroot())

    @staticmethod
    def parse_voc_xml(node):
        """Nested dicts; what stands there once is no list, but for objects."""
        found, inside = {}, defaultdict(list)
        children = list(node)
        for child in children:
            for tag, value in VOCDetection.parse_voc_xml(child).items():
                inside[tag].append(value)
        if children:
            if node.tag == "annotation":
                inside["object"] = [inside["object"]]
            found[node.tag] = {tag: values[0] if len(values) == 1 else values for tag, values in inside.items()}
        elif node.text:
            found[node.tag] = node.text.strip()
        return found

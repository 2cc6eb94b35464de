"""Pictures with annotations in the format of COCO."""

import json
import os

from PIL import Image

from torchvision.datasets.vision import VisionDataset


class _Annotations:
    """What `pycocotools.coco.COCO` tells of a file of annotations, as far as pictures and their annotations go."""

    def __init__(self, path):
        with open(path) as f:
            self.dataset = json.load(f)
        self.imgs = {image["id"]: image for image in self.dataset.get("images", [])}
        self.anns = {annotation["id"]: annotation for annotation in self.dataset.get("annotations", [])}
        self.cats = {category["id"]: category for category in self.dataset.get("categories", [])}
        self.imgToAnns = {}
        for annotation in self.dataset.get("annotations", []):
            self.imgToAnns.setdefault(annotation["image_id"], []).append(annotation)

    def getImgIds(self):
        return list(self.imgs)

    def getCatIds(self):
        return list(self.cats)

    def getAnnIds(self, imgIds):
        images = [imgIds] if isinstance(imgIds, int) else imgIds
        return [annotation["id"] for image in images for annotation in self.imgToAnns.get(image, [])]

    def loadAnns(self, ids):
        return [self.anns[i] for i in ([ids] if isinstance(ids, int) else ids)]

    def loadCats(self, ids):
        return [self.cats[i] for i in ([ids] if isinstance(ids, int) else ids)]

    def loadImgs(self, ids):
        return [self.imgs[i] for i in ([ids] if isinstance(ids, int) else ids)]


class CocoDetection(VisionDataset):
    def __init__(self, root, annFile, transform=None, target_transform=None, transforms=None):
        super().__init__(root, transforms, transform, target_transform)
        self.coco = _Annotations(annFile)
        self.ids = sorted(self.coco.imgs)

    def _load_image(self, id):
        return Image.open(os.path.join(self.root, self.coco.loadImgs(id)[0]["file_name"])).convert("RGB")

    def _load_target(self, id):
        return self.coco.loadAnns(self.coco.getAnnIds(id))

    def __getitem__(self, index):
        if not isinstance(index, int):
            raise ValueError(f"Index must be of type integer, got {type(index)} instead.")
        id = self.ids[index]
        image, target = self._load_image(id), self._load_target(id)
        return (image, target) if self.transforms is None else self.transforms(image, target)

    def __len__(self):
        return len(self.ids)


class CocoCaptions(CocoDetection):
    def _load_target(self, id):
        return [annotation["caption"] for annotation in super()._load_target(id)]

"""Data sets of pictures in files, whose classes stand in lists or in the names of folders."""

import csv
import json
import os
from pathlib import Path

import torch
from PIL import Image

from torchvision.datasets import _matfile
from torchvision.datasets.folder import ImageFolder, default_loader, find_classes, make_dataset
from torchvision.datasets.utils import check_integrity, obtain, verify_str_arg
from torchvision.datasets.vision import VisionDataset

_LOST = "Dataset not found. You can use download=True to download it"


class _Listed(VisionDataset):
    """Files of pictures, and their classes."""

    loader = staticmethod(default_loader)

    def __len__(self):
        return len(self._image_files)

    def __getitem__(self, idx):
        return self._transformed(self.loader(self._image_files[idx]), self._labels[idx])

    def _have(self, there, download, archives, folder, lost=_LOST):
        """Sees to it that the files are there."""
        if download and not there():
            for url, md5 in archives:
                obtain(url, str(folder), None, md5, unpack=True)
        if not there():
            raise RuntimeError(lost)

    def _number(self, classes):
        self.classes = list(classes)
        self.class_to_idx = {name: i for i, name in enumerate(self.classes)}


class Food101(_Listed):
    _URL = "http://data.vision.ee.ethz.ch/cvl/food-101.tar.gz"
    _MD5 = "85eeb15f3717b99a5da872d97d918f87"

    def __init__(
        self, root, split="train", transform=None, target_transform=None, download=False, loader=default_loader
    ):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self._split, self.loader = verify_str_arg(split, "split", ("train", "test")), loader
        folder = Path(self.root) / "food-101"
        there = lambda: (folder / "meta").is_dir() and (folder / "images").is_dir()
        self._have(there, download, [(self._URL, self._MD5)], self.root)
        with open(folder / "meta" / f"{split}.json") as f:
            listed = json.load(f)
        self._number(sorted(listed))
        pairs = [(self.class_to_idx[name], file) for name, files in listed.items() for file in files]
        self._labels = [label for label, _ in pairs]
        self._image_files = [folder / "images" / f"{file}.jpg" for _, file in pairs]

    def extra_repr(self):
        return f"split={self._split}"


class DTD(_Listed):
    _URL = "https://www.robots.ox.ac.uk/~vgg/data/dtd/download/dtd-r1.0.1.tar.gz"
    _MD5 = "fff73e5086ae6bdbea199a49dfb8a4c1"

    def __init__(
        self, root, split="train", partition=1, transform=None, target_transform=None, download=False, loader=default_loader
    ):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self._split, self.loader = verify_str_arg(split, "split", ("train", "val", "test")), loader
        if not isinstance(partition, int) or not 1 <= partition <= 10:
            raise ValueError(
                f"Parameter 'partition' should be an integer with `1 <= partition <= 10`, but got {partition} instead"
            )
        self._partition = partition
        folder = Path(self.root) / "dtd" / "dtd"
        self._have(folder.is_dir, download, [(self._URL, self._MD5)], Path(self.root) / "dtd")
        with open(folder / "labels" / f"{split}{partition}.txt") as f:
            files = [line.strip() for line in f]
        self._image_files = [folder / "images" / file for file in files]
        names = [file.split("/")[0] for file in files]
        self._number(sorted(set(names)))
        self._labels = [self.class_to_idx[name] for name in names]

    def extra_repr(self):
        return f"split={self._split}, partition={self._partition}"


class FGVCAircraft(_Listed):
    _URL = "https://www.robots.ox.ac.uk/~vgg/data/fgvc-aircraft/archives/fgvc-aircraft-2013b.tar.gz"

    def __init__(
        self, root, split="trainval", annotation_level="variant", transform=None, target_transform=None, download=False,
        loader=default_loader,
    ):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self._split, self.loader = verify_str_arg(split, "split", ("train", "val", "trainval", "test")), loader
        lists = {"variant": "variants.txt", "family": "families.txt", "manufacturer": "manufacturers.txt"}
        self._annotation_level = verify_str_arg(annotation_level, "annotation_level", tuple(lists))
        data = Path(self.root) / "fgvc-aircraft-2013b" / "data"
        self._have(data.parent.is_dir, download, [(self._URL, None)], self.root)
        with open(data / lists[annotation_level]) as f:
            self._number([line.strip() for line in f])
        with open(data / f"images_{annotation_level}_{split}.txt") as f:
            pairs = [line.strip().split(" ", 1) for line in f]
        self._image_files = [str(data / "images" / f"{file}.jpg") for file, _ in pairs]
        self._labels = [self.class_to_idx[name] for _, name in pairs]


class Flowers102(_Listed):
    _download_url_prefix = "https://www.robots.ox.ac.uk/~vgg/data/flowers/102/"
    _file_dict = {
        "image": ("102flowers.tgz", "52808999861908f626f3c1f4e79d11fa"),
        "label": ("imagelabels.mat", "e0620be6f572b9609742df49c70aed4d"),
        "setid": ("setid.mat", "a5357ecc9cb78c4bef273ce3793fc85c"),
    }
    _splits_map = {"train": "trnid", "val": "valid", "test": "tstid"}
    classes = """
        pink primrose;hard-leaved pocket orchid;canterbury bells;sweet pea;english marigold;tiger lily;moon orchid;bird of paradise;
        monkshood;globe thistle;snapdragon;colt's foot;king protea;spear thistle;yellow iris;globe-flower;purple coneflower;
        peruvian lily;balloon flower;giant white arum lily;fire lily;pincushion flower;fritillary;red ginger;grape hyacinth;
        corn poppy;prince of wales feathers;stemless gentian;artichoke;sweet william;carnation;garden phlox;love in the mist;
        mexican aster;alpine sea holly;ruby-lipped cattleya;cape flower;great masterwort;siam tulip;lenten rose;barbeton daisy;
        daffodil;sword lily;poinsettia;bolero deep blue;wallflower;marigold;buttercup;oxeye daisy;common dandelion;petunia;
        wild pansy;primula;sunflower;pelargonium;bishop of llandaff;gaura;geranium;orange dahlia;pink-yellow dahlia?;
        cautleya spicata;japanese anemone;black-eyed susan;silverbush;californian poppy;osteospermum;spring crocus;bearded iris;
        windflower;tree poppy;gazania;azalea;water lily;rose;thorn apple;morning glory;passion flower;lotus;toad lily;anthurium;
        frangipani;clematis;hibiscus;columbine;desert-rose;tree mallow;magnolia;cyclamen;watercress;canna lily;hippeastrum;
        bee balm;ball moss;foxglove;bougainvillea;camellia;mallow;mexican petunia;bromelia;blanket flower;trumpet creeper;
        blackberry lily
    """
    classes = [name.strip() for name in classes.split(";")]

    def __init__(
        self, root, split="train", transform=None, target_transform=None, download=False, loader=default_loader
    ):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self._split, self.loader = verify_str_arg(split, "split", ("train", "val", "test")), loader
        self._base_folder = Path(self.root) / "flowers-102"
        if download:
            self.download()
        if not self._check_integrity():
            raise RuntimeError("Dataset not found or corrupted. You can use download=True to download it")
        numbers = _matfile.arrays(self._base_folder / self._file_dict["setid"][0])[self._splits_map[split]]
        labels = _matfile.arrays(self._base_folder / self._file_dict["label"][0])["labels"].long().reshape(-1)
        numbers = numbers.long().reshape(-1)
        self._labels = (labels[numbers - 1] - 1).tolist()
        self._image_files = [self._base_folder / "jpg" / f"image_{i:05d}.jpg" for i in numbers.tolist()]

    def _check_integrity(self):
        files = [self._file_dict[kind] for kind in ("label", "setid")]
        return (self._base_folder / "jpg").is_dir() and all(
            [check_integrity(str(self._base_folder / name), md5) for name, md5 in files]
        )

    def download(self):
        if not self._check_integrity():
            for kind, (name, md5) in self._file_dict.items():
                obtain(self._download_url_prefix + name, str(self._base_folder), name, md5, unpack=kind == "image")

    def extra_repr(self):
        return f"split={self._split}"


class GTSRB(_Listed):
    def __init__(self, root, split="train", transform=None, target_transform=None, download=False):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self._split = verify_str_arg(split, "split", ("train", "test"))
        folder = Path(root) / "gtsrb"
        pictures = folder / "GTSRB" / ("Training" if split == "train" else "Final_Test/Images")
        url = "https://sid.erda.dk/public/archives/daaeac0d7ce1152aea9b61d9f1e19370/"
        archives = {
            "train": [("GTSRB-Training_fixed.zip", "513f3c79a4c5141765e10e952eaa2478")],
            "test": [
                ("GTSRB_Final_Test_Images.zip", "c7e4e6327067d32654124b0fe9e82185"),
                ("GTSRB_Final_Test_GT.zip", "fe31e9c9270bbcd7b84b7f21a9d9d9e5"),
            ],
        }
        self._have(pictures.is_dir, download, [(url + name, md5) for name, md5 in archives[split]], folder)
        if split == "train":
            self._samples = make_dataset(str(pictures), extensions=(".ppm",))
        else:
            with open(folder / "GT-final_test.csv") as f:
                rows = csv.DictReader(f, delimiter=";", skipinitialspace=True)
                self._samples = [(str(pictures / row["Filename"]), int(row["ClassId"])) for row in rows]
        self._image_files = [file for file, _ in self._samples]
        self._labels = [label for _, label in self._samples]


class RenderedSST2(_Listed):
    _URL = "https://openaipublic.azureedge.net/clip/data/rendered-sst2.tgz"
    _MD5 = "2384d08e9dcfa4bd55b324e610496ee5"

    def __init__(
        self, root, split="train", transform=None, target_transform=None, download=False, loader=default_loader
    ):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self._split, self.loader = verify_str_arg(split, "split", ("train", "val", "test")), loader
        folder = Path(self.root) / "rendered-sst2" / {"val": "valid"}.get(split, split)
        self._number(["negative", "positive"])
        there = lambda: all([(folder / name).is_dir() for name in self.classes])
        self._have(there, download, [(self._URL, self._MD5)], self.root)
        self._samples = make_dataset(str(folder), extensions=("png",))
        self._image_files = [file for file, _ in self._samples]
        self._labels = [label for _, label in self._samples]

    def extra_repr(self):
        return f"split={self._split}"


class SUN397(_Listed):
    _DATASET_URL = "http://vision.princeton.edu/projects/2010/SUN/SUN397.tar.gz"
    _DATASET_MD5 = "8ca2778205c41d23104230ba66911c7a"

    def __init__(self, root, transform=None, target_transform=None, download=False, loader=default_loader):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.loader = loader
        folder = Path(self.root) / "SUN397"
        self._have(folder.is_dir, download, [(self._DATASET_URL, self._DATASET_MD5)], self.root)
        with open(folder / "ClassName.txt") as f:
            self._number([line[3:].strip() for line in f])
        self._image_files = list(folder.rglob("sun_*.jpg"))
        self._labels = [self.class_to_idx["/".join(file.relative_to(folder).parts[1:-1])] for file in self._image_files]


class Imagenette(_Listed):
    _URL = "https://s3.amazonaws.com/fast-ai-imageclas/"
    _ARCHIVES = {
        "full": (_URL + "imagenette2.tgz", "fe2fc210e6bb7c5664d602c3cd71e612"),
        "320px": (_URL + "imagenette2-320.tgz", "3df6f0d01a2c9592104656642f5e78a3"),
        "160px": (_URL + "imagenette2-160.tgz", "e793b78cc4c9e9a4ccc0c1155377a412"),
    }
    _WNID_TO_CLASS = {
        "n01440764": ("tench", "Tinca tinca"),
        "n02102040": ("English springer", "English springer spaniel"),
        "n02979186": ("cassette player",),
        "n03000684": ("chain saw", "chainsaw"),
        "n03028079": ("church", "church building"),
        "n03394916": ("French horn", "horn"),
        "n03417042": ("garbage truck", "dustcart"),
        "n03425413": ("gas pump", "gasoline pump", "petrol pump", "island dispenser"),
        "n03445777": ("golf ball",),
        "n03888257": ("parachute", "chute"),
    }

    def __init__(
        self, root, split="train", size="full", download=False, transform=None, target_transform=None, loader=default_loader
    ):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self._split, self.loader = verify_str_arg(split, "split", ["train", "val"]), loader
        self._size = verify_str_arg(size, "size", ["full", "320px", "160px"])
        folder = Path(self.root) / Path(self._ARCHIVES[size][0]).stem
        self._have(folder.exists, download, [self._ARCHIVES[size]], self.root, _LOST + ".")
        pictures = str(folder / split)
        self.wnids, self.wnid_to_idx = find_classes(pictures)
        self.classes = [self._WNID_TO_CLASS[wnid] for wnid in self.wnids]
        self.class_to_idx = {name: i for wnid, i in self.wnid_to_idx.items() for name in self._WNID_TO_CLASS[wnid]}
        self._samples = make_dataset(pictures, self.wnid_to_idx, extensions=".jpeg")
        self._image_files = [file for file, _ in self._samples]
        self._labels = [label for _, label in self._samples]


class OxfordIIITPet(VisionDataset):
    _URL = "https://www.robots.ox.ac.uk/~vgg/data/pets/data/"
    _RESOURCES = (
        (_URL + "images.tar.gz", "5c4f3ee8e5d25df40f4fd59a7f44e54c"),
        (_URL + "annotations.tar.gz", "95a8c909bbe2e81eed6a22bccdf3f68f"),
    )
    _VALID_TARGET_TYPES = ("category", "binary-category", "segmentation")

    def __init__(
        self, root, split="trainval", target_types="category", transforms=None, transform=None, target_transform=None,
        download=False,
    ):
        super().__init__(root, transforms=transforms, transform=transform, target_transform=target_transform)
        self._split = verify_str_arg(split, "split", ("trainval", "test"))
        kinds = [target_types] if isinstance(target_types, str) else target_types
        self._target_types = [verify_str_arg(kind, "target_types", self._VALID_TARGET_TYPES) for kind in kinds]
        folder = Path(self.root) / "oxford-iiit-pet"
        there = lambda: (folder / "images").is_dir() and (folder / "annotations").is_dir()
        _Listed._have(self, there, download, self._RESOURCES, folder)
        with open(folder / "annotations" / f"{split}.txt") as f:
            rows = [line.strip().split() for line in f]
        self._labels = [int(row[1]) - 1 for row in rows]
        self._bin_labels = [int(row[2]) - 1 for row in rows]
        breeds = {(row[0].rsplit("_", 1)[0], label) for row, label in zip(rows, self._labels)}
        names = [" ".join([word.title() for word in name.split("_")]) for name, _ in sorted(breeds, key=lambda pair: pair[1])]
        self.bin_classes = ["Cat", "Dog"]
        self.bin_class_to_idx = {"Cat": 0, "Dog": 1}
        _Listed._number(self, names)
        self._images = [folder / "images" / f"{row[0]}.jpg" for row in rows]
        self._segs = [folder / "annotations" / "trimaps" / f"{row[0]}.png" for row in rows]

    def __len__(self):
        return len(self._images)

    def __getitem__(self, idx):
        found = []
        for kind in self._target_types:
            if kind == "segmentation":
                found.append(Image.open(self._segs[idx]))
            else:
                found.append((self._labels if kind == "category" else self._bin_labels)[idx])
        image = Image.open(self._images[idx]).convert("RGB")
        target = tuple(found) if len(found) > 1 else found[0] if found else None
        return self.transforms(image, target) if self.transforms else (image, target)


class _Caltech(_Listed):
    def _begin(self, root, name, folder, transform, target_transform, download, archive):
        super().__init__(os.path.join(root, name), transform=transform, target_transform=target_transform)
        os.makedirs(self.root, exist_ok=True)
        folder = os.path.join(self.root, folder)
        self._have(
            lambda: os.path.exists(folder), download, [archive], self.root,
            "Dataset not found or corrupted. You can use download=True to download it",
        )
        self.categories = sorted(os.listdir(folder))
        return folder

    def _end(self, file_of, counts):
        self.index = [i for count in counts for i in range(1, count + 1)]
        self.y = self._labels = [c for c, count in enumerate(counts) for _ in range(count)]
        self._image_files = [file_of(c, i) for c, i in zip(self.y, self.index)]


class Caltech101(_Caltech):
    loader = staticmethod(Image.open)

    def __init__(self, root, target_type="category", transform=None, target_transform=None, download=False):
        kinds = [target_type] if isinstance(target_type, str) else target_type
        self.target_type = [verify_str_arg(kind, "target_type", ("category", "annotation")) for kind in kinds]
        archive = ("https://data.caltech.edu/records/mzrjq-6wc02/files/caltech-101.zip", "3138e1922a9193bfa496528edbbc45d0")
        folder = self._begin(root, "caltech101", "101_ObjectCategories", transform, target_transform, download, archive)
        self.categories.remove("BACKGROUND_Google")
        named = {
            "Faces": "Faces_2", "Faces_easy": "Faces_3", "Motorbikes": "Motorbikes_16", "airplanes": "Airplanes_Side_2",
        }
        self.annotation_categories = [named.get(name, name) for name in self.categories]
        self._end(
            lambda c, i: os.path.join(folder, self.categories[c], f"image_{i:04d}.jpg"),
            [len(os.listdir(os.path.join(folder, name))) for name in self.categories],
        )

    def __getitem__(self, index):
        found = []
        for kind in self.target_type:
            if kind == "category":
                found.append(self.y[index])
                continue
            file = f"annotation_{self.index[index]:04d}.mat"
            path = os.path.join(self.root, "Annotations", self.annotation_categories[self.y[index]], file)
            found.append(_matfile.arrays(path)["obj_contour"].numpy())
        return self._transformed(self.loader(self._image_files[index]), tuple(found) if len(found) > 1 else found[0])

    def extra_repr(self):
        return f"Target type: {self.target_type}"


class Caltech256(_Caltech):
    loader = staticmethod(Image.open)

    def __init__(self, root, transform=None, target_transform=None, download=False):
        archive = (
            "https://data.caltech.edu/records/nyy15-4j048/files/256_ObjectCategories.tar", "67b4f42ca05d46448c6bb8ecd2220f6d",
        )
        folder = self._begin(root, "caltech256", "256_ObjectCategories", transform, target_transform, download, archive)
        self._end(
            lambda c, i: os.path.join(folder, self.categories[c], f"{c + 1:03d}_{i:04d}.jpg"),
            [len([f for f in os.listdir(os.path.join(folder, name)) if f.endswith(".jpg")]) for name in self.categories],
        )


class _Folders(ImageFolder):
    """A folder for each class, below a folder of the data set's."""

    def _begin(self, root, pictures, there, download, url, md5, into, transform, target_transform, loader):
        self.root = os.path.expanduser(str(root))
        _Listed._have(self, there, download, [(url, md5)], into)
        super().__init__(str(pictures), transform=transform, target_transform=target_transform, loader=loader)
        self.root = os.path.expanduser(str(root))


class EuroSAT(_Folders):
    _URL = "https://huggingface.co/datasets/torchgeo/eurosat/resolve/c877bcd43f099cd0196738f714544e355477f3fd/EuroSAT.zip"
    _MD5 = "c8fa014336c82ac7804f0398fcb19387"

    def __init__(self, root, transform=None, target_transform=None, download=False, loader=default_loader):
        into = Path(root).expanduser() / "eurosat"
        pictures = into / "2750"
        self._begin(
            root, pictures, pictures.exists, download, self._URL, self._MD5, into, transform, target_transform, loader
        )


class Country211(_Folders):
    _URL = "https://openaipublic.azureedge.net/clip/data/country211.tgz"
    _MD5 = "84988d7644798601126c29e9877aab6a"

    def __init__(
        self, root, split="train", transform=None, target_transform=None, download=False, loader=default_loader
    ):
        self._split = verify_str_arg(split, "split", ("train", "valid", "test"))
        into = Path(root).expanduser()
        folder = into / "country211"
        self._begin(
            root, folder / split, folder.is_dir, download, self._URL, self._MD5, into, transform, target_transform, loader
        )


class MovingMNIST(VisionDataset):
    _URL = "http://www.cs.toronto.edu/~nitish/unsupervised_video/mnist_test_seq.npy"

    def __init__(self, root, split=None, split_ratio=10, download=False, transform=None):
        super().__init__(root, transform=transform)
        self.split = None if split is None else verify_str_arg(split, "split", ("train", "test"))
        if not isinstance(split_ratio, int):
            raise TypeError(f"`split_ratio` should be an integer, but got {type(split_ratio)}")
        if not 1 <= split_ratio <= 19:
            raise ValueError(f"`split_ratio` should be `1 <= split_ratio <= 19`, but got {split_ratio} instead.")
        self.split_ratio = split_ratio
        folder = os.path.join(self.root, type(self).__name__)
        path = os.path.join(folder, self._URL.split("/")[-1])
        if download and not os.path.exists(path):
            obtain(self._URL, folder, None, "be083ec986bfe91a449d63653c411eb2")
        if not os.path.exists(path):
            raise RuntimeError(_LOST + ".")
        import numpy as np

        data = torch.from_numpy(np.load(path))
        if split == "train":
            data = data[:split_ratio]
        elif split == "test":
            data = data[split_ratio:]
        self.data = data.transpose(0, 1).unsqueeze(2).contiguous()

    def __getitem__(self, idx):
        return self.data[idx] if self.transform is None else self.transform(self.data[idx])

    def __len__(self):
        return len(self.data)


class FER2013(VisionDataset):
    _RESOURCES = {
        "train": ("train.csv", "3f0dfb3d3fd99c811a1299cb947e3131"),
        "test": ("test.csv", "b02c2298636a634e8c2faabbf3ea9a23"),
        "fer": ("fer2013.csv", "f8428a1edbd21e88f42c73edd2a14f95"),
        "icml": ("icml_face_data.csv", "b114b9e04e6949e5fe8b6a98b3892b1d"),
    }

    def __init__(self, root, split="train", transform=None, target_transform=None):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self._split = verify_str_arg(split, "split", ("train", "test"))
        folder = Path(self.root) / "fer2013"
        whole = [kind for kind in ("fer", "icml") if (folder / self._RESOURCES[kind][0]).exists()]
        kind = whole[0] if whole else split
        name, md5 = self._RESOURCES[kind]
        if not check_integrity(str(folder / name), md5):
            raise RuntimeError(
                f"{name} not found in {folder} or corrupted. You can download it from "
                "https://www.kaggle.com/c/challenges-in-representation-learning-facial-expression-recognition-challenge"
            )
        # One of the files has a space in front of its columns' names.
        pixels, usage = (" pixels", " Usage") if kind == "icml" else ("pixels", "Usage")
        wanted = ("Training",) if split == "train" else ("PublicTest", "PrivateTest")
        with open(folder / name, newline="") as f:
            rows = [row for row in csv.DictReader(f) if not whole or row[usage] in wanted]
        self._samples = [
            (
                torch.tensor([int(word) for word in row[pixels].split()], dtype=torch.uint8).reshape(48, 48),
                int(row["emotion"]) if whole or split == "train" else None,
            )
            for row in rows
        ]

    def __len__(self):
        return len(self._samples)

    def __getitem__(self, idx):
        picture, target = self._samples[idx]
        return self._transformed(Image.fromarray(picture.numpy()), target)

    def extra_repr(self):
        return f"split={self._split}"

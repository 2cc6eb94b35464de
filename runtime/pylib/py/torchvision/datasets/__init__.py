"""Data sets: from files, from folders, made up."""

from torch import _C

from torchvision.datasets.cifar import CIFAR10, CIFAR100
from torchvision.datasets.fakedata import FakeData
from torchvision.datasets.folder import DatasetFolder, ImageFolder
from torchvision.datasets.mnist import EMNIST, MNIST, QMNIST, FashionMNIST, KMNIST
from torchvision.datasets.vision import VisionDataset

# Loaded when they are asked for, by the module that has them.
_LATER = {
    "svhn": ("SVHN",), "stl10": ("STL10",), "usps": ("USPS",), "semeion": ("SEMEION",), "celeba": ("CelebA",),
    "omniglot": ("Omniglot",), "voc": ("VOCDetection", "VOCSegmentation"), "coco": ("CocoCaptions", "CocoDetection"),
    "listed": (
        "Caltech101", "Caltech256", "Country211", "DTD", "EuroSAT", "FER2013", "FGVCAircraft", "Flowers102", "Food101", "GTSRB",
        "Imagenette", "MovingMNIST", "OxfordIIITPet", "RenderedSST2", "SUN397",
    ),
}
_MODULES = {name: module for module, names in _LATER.items() for name in names}


def __getattr__(name):
    if name in _MODULES:
        found = globals()[name] = getattr(_C._import_module("torchvision.datasets." + _MODULES[name]), name)
        return found
    return _C._missing_name("torchvision.datasets", name)


def __dir__():
    return sorted({*globals(), *_MODULES})

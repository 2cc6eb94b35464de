"""Data sets: from files, from folders, made up."""

from torch import _C

from torchvision.datasets.cifar import CIFAR10, CIFAR100
from torchvision.datasets.fakedata import FakeData
from torchvision.datasets.folder import DatasetFolder, ImageFolder
from torchvision.datasets.mnist import EMNIST, MNIST, FashionMNIST, KMNIST
from torchvision.datasets.vision import VisionDataset


def __getattr__(name):
    return _C._missing_name("torchvision.datasets", name)

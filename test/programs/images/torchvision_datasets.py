"""Data sets from files that are faked in their formats, with and without workers."""

import hashlib, os, struct, tempfile, pickle, warnings, random

warnings.simplefilter("ignore")
import numpy as np, torch
from PIL import Image
from torchvision import datasets, transforms
from torch.utils.data import DataLoader

rng = np.random.RandomState(0)
root = tempfile.mkdtemp()


def idx(path, a):
    with open(path, "wb") as f:
        f.write(struct.pack(">HBB", 0, 8, a.ndim) + struct.pack(">" + "I" * a.ndim, *a.shape) + a.tobytes())


for cls in ("MNIST", "FashionMNIST", "KMNIST"):
    raw = os.path.join(root, cls, "raw")
    os.makedirs(raw)
    for kind, n in (("train", 60), ("t10k", 20)):
        idx(f"{raw}/{kind}-images-idx3-ubyte", rng.randint(0, 256, (n, 28, 28)).astype("uint8"))
        idx(f"{raw}/{kind}-labels-idx1-ubyte", rng.randint(0, 10, n).astype("uint8"))
tf = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.1307,), (0.3081,))])


def show(x):
    return f"{tuple(x.shape)} {x.dtype} {x.double().sum().item():.3f}"


for cls in ("MNIST", "FashionMNIST", "KMNIST"):
    for train in (True, False):
        d = getattr(datasets, cls)(root, train=train, download=True, transform=tf)
        print(repr(d).replace(root, "ROOT"))
        print(len(d), d.classes, d.class_to_idx, d.data.shape, d.targets[:5], show(d[3][0]), d[3][1])
    d = getattr(datasets, cls)(root, target_transform=lambda t: t + 100)
    print(d[0][0].size, d[0][0].mode, d[0][1], d.train_labels[:3], d.train_data.shape)
for workers in (0, 2):
    torch.manual_seed(1)
    loader = DataLoader(
        datasets.MNIST(
            root,
            transform=transforms.Compose([transforms.RandomCrop(28, padding=2), transforms.RandomHorizontalFlip(), tf]),
        ),
        batch_size=16,
        shuffle=True,
        num_workers=workers,
        drop_last=False,
    )
    for epoch in range(2):
        for x, y in loader:
            print(workers, epoch, show(x), y.tolist())
torch.manual_seed(5)
f = datasets.FakeData(5, (3, 20, 30), 4, transform=transforms.ToTensor())
print(f, len(f))
print([(show(x), y) for x, y in (f[i] for i in range(5))], torch.rand(1))
for name, labels in (("cifar-10-batches-py", "labels"), ("cifar-100-python", "fine_labels")):
    os.makedirs(os.path.join(root, name))
for i in range(6):
    n = f"data_batch_{i + 1}" if i < 5 else "test_batch"
    pickle.dump(
        {"data": rng.randint(0, 256, (4, 3072)).astype("uint8"), "labels": rng.randint(0, 10, 4).tolist()},
        open(f"{root}/cifar-10-batches-py/{n}", "wb"),
    )
pickle.dump({"label_names": list("abcdefghij")}, open(f"{root}/cifar-10-batches-py/batches.meta", "wb"))
for n in ("train", "test"):
    pickle.dump(
        {"data": rng.randint(0, 256, (4, 3072)).astype("uint8"), "fine_labels": rng.randint(0, 100, 4).tolist()},
        open(f"{root}/cifar-100-python/{n}", "wb"),
    )
pickle.dump({"fine_label_names": [str(i) for i in range(100)]}, open(f"{root}/cifar-100-python/meta", "wb"))


def md5(path):
    with open(path, "rb") as f:
        return hashlib.md5(f.read()).hexdigest()


class C10(datasets.CIFAR10):
    train_list = [[n, md5(f"{root}/cifar-10-batches-py/{n}")] for n, _ in datasets.CIFAR10.train_list]
    test_list = [[n, md5(f"{root}/cifar-10-batches-py/{n}")] for n, _ in datasets.CIFAR10.test_list]
    meta = {**datasets.CIFAR10.meta, "md5": md5(f"{root}/cifar-10-batches-py/batches.meta")}


class C100(datasets.CIFAR100):
    train_list = [["train", md5(f"{root}/cifar-100-python/train")]]
    test_list = [["test", md5(f"{root}/cifar-100-python/test")]]
    meta = {**datasets.CIFAR100.meta, "md5": md5(f"{root}/cifar-100-python/meta")}


for C in (C10, C100):
    for train in (True, False):
        d = C(root, train, transform=transforms.ToTensor())
        print(
            repr(d).replace(root, "ROOT"),
            d.data.shape,
            d.data.dtype,
            d.targets,
            d.classes[:3],
            [show(x) for x, y in d][:2],
        )
try:
    datasets.CIFAR10(root)
except RuntimeError as e:
    print(e)
try:
    datasets.MNIST(root + "/no")
except RuntimeError as e:
    print(e)
im = os.path.join(root, "im")
for c in ("dog", "cat"):
    os.makedirs(f"{im}/{c}/sub")
    for i in range(3):
        Image.fromarray(rng.randint(0, 256, (20 + i, 30, 3)).astype("uint8")).save(
            f"{im}/{c}/{'sub/' if i == 2 else ''}{i}.png"
        )
open(f"{im}/dog/notes.txt", "w").write("x")
d = datasets.ImageFolder(
    im, transform=transforms.Compose([transforms.Resize(16), transforms.CenterCrop(14), transforms.ToTensor()])
)
print(
    repr(d).replace(root, "ROOT"),
    d.classes,
    d.class_to_idx,
    [(p.replace(root, "ROOT"), t) for p, t in d.samples],
    d.targets,
    d.imgs is d.samples,
)
for x, y in DataLoader(d, batch_size=4, num_workers=2):
    print(show(x), y)
d = datasets.DatasetFolder(im, loader=lambda p: len(open(p, "rb").read()) > 0, extensions=(".png", ".txt"))
print([d[i] for i in range(len(d))])
for bad in (lambda: datasets.ImageFolder(im + "/dog/sub"), lambda: datasets.ImageFolder(root + "/nothing")):
    try:
        bad()
    except Exception as e:
        print(type(e).__name__, str(e).replace(root, "ROOT"))
os.makedirs(im + "/empty")
try:
    datasets.ImageFolder(im)
except Exception as e:
    print(type(e).__name__, str(e).replace(root, "ROOT"))
print(len(datasets.ImageFolder(im, allow_empty=True)))

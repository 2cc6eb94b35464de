"""Weights from files, and models by name."""

from dataclasses import dataclass, field
from enum import Enum

import torch

from torchvision.models._table import TABLE
from torchvision.transforms import functional as F
from torchvision.transforms.functional import InterpolationMode

_PLACE = "https://download.pytorch.org/models/"


class ImageClassification(torch.nn.Module):
    """What a picture goes through before a model that weights were trained for."""

    def __init__(
        self, *, crop_size, resize_size=256, mean=(0.485, 0.456, 0.406), std=(0.229, 0.224, 0.225),
        interpolation=InterpolationMode.BILINEAR, antialias=True,
    ):
        super().__init__()
        self.crop_size = [crop_size]
        self.resize_size = [resize_size]
        self.mean = list(mean)
        self.std = list(std)
        self.interpolation = interpolation
        self.antialias = antialias

    def forward(self, img):
        img = F.resize(img, self.resize_size, interpolation=self.interpolation, antialias=self.antialias)
        img = F.center_crop(img, self.crop_size)
        if not isinstance(img, torch.Tensor):
            img = F.pil_to_tensor(img)
        img = F.convert_image_dtype(img, torch.float)
        return F.normalize(img, mean=self.mean, std=self.std)

    def __repr__(self):
        return (
            f"{self.__class__.__name__}(\n    crop_size={self.crop_size}\n    resize_size={self.resize_size}\n"
            f"    mean={self.mean}\n    std={self.std}\n    interpolation={self.interpolation}\n)"
        )


@dataclass(frozen=True)
class _Preset:
    """Makes the transform of weights."""

    crop: int
    resize: int
    interpolation: str
    half: bool = False

    def __call__(self, **changed):
        given = {"crop_size": self.crop, "resize_size": self.resize}
        given["interpolation"] = InterpolationMode(self.interpolation)
        if self.half:
            given["mean"] = given["std"] = (0.5, 0.5, 0.5)
        return ImageClassification(**{**given, **changed})


class _Meta(dict):
    def __missing__(self, key):
        raise NotImplementedError(f"meta[{key!r}] of torchvision's weights is not implemented in janus-jit yet")


@dataclass(frozen=True)
class Weights:
    url: str
    transforms: object
    meta: dict = field(default_factory=_Meta, compare=False, hash=False)


class WeightsEnum(Enum):
    @classmethod
    def verify(cls, obj):
        if obj is None:
            return None
        if type(obj) is str:
            obj = cls[obj.replace(cls.__name__ + ".", "")]
        elif not isinstance(obj, cls):
            raise TypeError(f"Invalid Weight class provided; expected {cls.__name__} but received {obj.__class__.__name__}.")
        return obj

    def get_state_dict(self, *args, **kwargs):
        from torch.hub import load_state_dict_from_url

        return load_state_dict_from_url(self.url, *args, **kwargs)

    def __repr__(self):
        return f"{self.__class__.__name__}.{self._name_}"

    @property
    def url(self):
        return self.value.url

    @property
    def transforms(self):
        return self.value.transforms

    @property
    def meta(self):
        return self.value.meta


def weights_enum(name, module):
    """The class of a model's weights."""
    default, *rows = TABLE[name]
    members = {}
    for member, file, crop, resize, interpolation, *half in rows:
        members[member] = Weights(_PLACE + file, _Preset(crop, resize, interpolation, bool(half)))
    members["DEFAULT"] = members[default]
    made = WeightsEnum(name, members, module=module)
    _WEIGHTS[name] = made
    return made


_WEIGHTS = {}
_MODELS = {}


def model(weights, make, *args, progress=True, aux=None, **kwargs):
    """A model, with weights where there are some; `aux` says what weights fix besides the number of classes."""
    if weights is not None:
        given = kwargs.setdefault("num_classes", 1000)
        if given != 1000:
            raise ValueError(f"The parameter 'num_classes' expected value 1000 but got {given} instead.")
        for name, value in (aux or {}).items():
            kwargs[name] = value
    net = make(*args, **kwargs)
    if weights is not None:
        net.load_state_dict(weights.get_state_dict(progress=progress, check_hash=True))
    return net


def builder(enum, old=None):
    """Makes `weights` a member of the class, from a name or from the older `pretrained`; and notes the model."""

    def decorate(f):
        def build(*, weights=None, progress=True, **kwargs):
            if "pretrained" in kwargs:
                import warnings

                pretrained = kwargs.pop("pretrained")
                warnings.warn(
                    "The parameter 'pretrained' is deprecated since 0.13 and may be removed in the future, "
                    "please use 'weights' instead."
                )
                if pretrained:
                    weights = getattr(enum, old or "IMAGENET1K_V1")
            if weights is True:
                weights = getattr(enum, old or "IMAGENET1K_V1")
            return f(weights=enum.verify(weights or None), progress=progress, **kwargs)

        def positional(*args, **kwargs):
            if args:
                kwargs["weights"] = args[0]
                if len(args) > 1:
                    kwargs["progress"] = args[1]
                if len(args) > 2:
                    raise TypeError(f"{f.__name__}() takes 2 positional arguments but {len(args)} were given")
            return build(**kwargs)

        positional.__name__ = positional.__qualname__ = f.__name__
        positional.__module__ = f.__module__
        _MODELS[f.__name__] = positional, enum
        return positional

    return decorate


def get_model(name, **config):
    return get_model_builder(name)(**config)


def get_model_builder(name):
    name = name.lower()
    if name not in _MODELS:
        raise ValueError(f"Unknown model {name}")
    return _MODELS[name][0]


def list_models(module=None, include=None, exclude=None):
    """Names of the models that there are here."""
    from fnmatch import fnmatch

    names = [n for n, (f, _) in _MODELS.items() if module is None or f.__module__.startswith(module.__name__)]
    if include:
        names = [n for n in names if any(fnmatch(n, i) for i in ([include] if isinstance(include, str) else include))]
    if exclude:
        out = [exclude] if isinstance(exclude, str) else exclude
        names = [n for n in names if not any(fnmatch(n, e) for e in out)]
    return sorted(names)


def get_model_weights(name):
    if callable(name):
        name = name.__name__
    get_model_builder(name)
    return _MODELS[name.lower()][1]


def get_weight(name):
    enum, _, member = name.partition(".")
    if not member:
        raise ValueError(f"Invalid weight name provided: '{name}'.")
    if enum not in _WEIGHTS:
        raise ValueError(f"The weight enum '{enum}' for the specific method couldn't be retrieved.")
    return _WEIGHTS[enum][member]

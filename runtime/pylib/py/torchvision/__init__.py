"""torchvision's common part over torch and PIL."""

import torch

__version__ = "0.26.0"

_SUBMODULES = ("datasets", "io", "models", "ops", "transforms", "tv_tensors", "utils", "version")

_backend = "PIL"


def set_image_backend(backend):
    if backend not in ("PIL", "accimage"):
        raise ValueError(f"Invalid backend '{backend}'. Options are 'PIL' and 'accimage'")
    if backend == "accimage":
        raise NotImplementedError("torchvision.set_image_backend('accimage') is not implemented in janus-jit yet")


def get_image_backend():
    return _backend


def disable_beta_transforms_warning():
    """There is no such warning any more."""


def __getattr__(name):
    if name in _SUBMODULES:
        return torch._C._import_module("torchvision." + name)
    return torch._C._missing_name("torchvision", name)

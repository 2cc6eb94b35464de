"""torch.utils."""

from torch.utils import hooks

import torch


def __getattr__(name):
    if name in ("_pytree", "benchmark", "checkpoint", "data", "hooks", "model_zoo", "tensorboard"):
        return torch._C._import_module("torch.utils." + name)
    return torch._C._missing_name("torch.utils", name)

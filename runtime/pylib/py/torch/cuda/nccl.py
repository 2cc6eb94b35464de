"""torch.cuda.nccl: NCCL is not there, and no tensor can be sent through it."""

from torch import _C


def is_available(tensors):
    return False


def __getattr__(name):
    return _C._missing_name("torch.cuda.nccl", name)

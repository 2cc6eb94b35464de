"""Data parallelism: within a process there is one device, so DataParallel splits nothing."""

import torch
from torch.nn.modules.module import Module


class DataParallel(Module):
    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        self.module = module
        self.device_ids = []
        self.dim = dim

    def forward(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)


def __getattr__(name):
    if name == "DistributedDataParallel":
        # torch.distributed is only loaded for those who use it.
        from .distributed import DistributedDataParallel

        return DistributedDataParallel
    return torch._C._missing_name("torch.nn.parallel", name)

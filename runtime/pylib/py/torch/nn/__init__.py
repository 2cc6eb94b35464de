"""torch.nn."""

import torch
from torch.nn.parameter import Buffer, Parameter
from torch.nn import functional, init
from torch.nn.modules import *
from torch.nn import modules, parallel, utils
from torch.nn.parallel import DataParallel
from torch._utils import _parse_to

torch._C._nn._parse_to = _parse_to


def __getattr__(name):
    if name == "attention":
        return torch._C._import_module("torch.nn.attention")
    return torch._C._missing_name("torch.nn", name)

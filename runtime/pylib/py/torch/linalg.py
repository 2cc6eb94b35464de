"""torch.linalg."""

import torch
from torch._C import _LinAlgError as LinAlgError
from torch._C._linalg import *


def __getattr__(name):
    return torch._C._missing_name("torch.linalg", name)

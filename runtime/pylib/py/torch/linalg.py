"""torch.linalg."""

import torch
from torch import _wanted
from torch._C import _LinAlgError as LinAlgError
from torch._C._linalg import *


def __getattr__(name):
    found = _wanted.found(_wanted.LINALG, name)
    if found is not None:
        globals()[name] = found
        return found
    return torch._C._missing_name("torch.linalg", name)


def __dir__():
    return sorted({*globals(), *_wanted.LINALG})

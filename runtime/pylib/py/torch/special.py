"""torch.special."""

import torch
from torch import _wanted
from torch import erfinv, exp2, expm1, log1p, log_softmax, logsumexp, sigmoid, softmax
from torch._C._special import *

expit = sigmoid


def __getattr__(name):
    found = _wanted.found(_wanted.SPECIAL, name)
    if found is not None:
        globals()[name] = found
        return found
    return torch._C._missing_name("torch.special", name)


def round(input, *, decimals=0, out=None):
    return torch.round(input, decimals=decimals, out=out)


def __dir__():
    return sorted({*globals(), *_wanted.SPECIAL})
